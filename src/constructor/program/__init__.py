"""A room: say what for."""
