"""Rules of LCR: the state, the dice, the events and the names of the players."""
