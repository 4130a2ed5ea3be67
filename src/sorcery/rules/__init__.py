"""The rules: what the cards do on the table, what a player may do, and what comes of it."""
