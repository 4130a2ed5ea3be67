"""Score sheets of matches that have ended, and the book they are kept in."""
