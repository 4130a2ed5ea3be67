"""The template game with cards."""
