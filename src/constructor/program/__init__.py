"""The program `constructor`: its options, its commands, its help, one match after the other."""
