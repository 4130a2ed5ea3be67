"""Who plays by itself: the bots, what they know of the game, and what studies measure."""
