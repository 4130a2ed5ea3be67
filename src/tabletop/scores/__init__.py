"""Score sheets of matches that have ended, and the book that keeps them."""
