"""Bots for Constructor: players, goal selection, position evaluation and study metrics."""
