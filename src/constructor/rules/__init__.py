"""Rules of Constructor: boards, actions, state changes, events and saved games."""
