"""Who plays by itself: builders, their goals and their race to the end, and what studies measure."""
