"""Who plays by itself: the duelist, what searches know of the game, what studies measure."""
