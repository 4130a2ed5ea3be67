"""Who plays by itself: builders, their goals, their race to the end, what studies measure."""
