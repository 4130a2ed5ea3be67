"""The template game with dice."""
