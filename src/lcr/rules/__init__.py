"""The rules: the state, the die, the events, and the names of the players."""
