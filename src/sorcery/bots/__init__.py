"""Bots for Sorcery: the duelist, position evaluation for search, and study metrics."""
