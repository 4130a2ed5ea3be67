"""Texts of Constructor: the messages of the document, a board in characters, and turn logs."""
