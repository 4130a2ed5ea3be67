"""Tables in a real browser: played, cut off, and looked at."""
