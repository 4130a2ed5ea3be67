"""The rules of Sorcery: actions, events, triggers and the `Sorcery` game."""
