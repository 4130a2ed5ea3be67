"""The rules: the board, what a builder may do, what comes of it, and saved games."""
