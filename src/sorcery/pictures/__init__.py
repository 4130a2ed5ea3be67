"""The pieces of the picture of a table: cards, minions, hands, players, and what is clicked.

`sorcery.picture` puts them together.
"""
