"""The cards: what they are made of, the editions that have them, and the table they lie on."""
