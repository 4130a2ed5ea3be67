"""Texts of Constructor: messages of the document, the board in characters, logs of turns."""
