"""Who plays by itself: the duelist, what searches are told of the game, and what studies measure."""
