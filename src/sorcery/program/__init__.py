"""The program `sorcery`: its options, its commands, and how it sits at a terminal."""
