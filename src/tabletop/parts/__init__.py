"""Building blocks for rules: cards, dice, boards, money, and control flow that many games share.

Every module is optional and independent. The modules contain plain functions and small data classes
for use in a state.

| module | contents |
|---|---|
| `board` | square and hexagonal boards: neighbours, lines, rings, regions, paths, symmetries |
| `cards` | decks from counts, the French deck, tricks, piles, hands, open rows, hints |
| `claims` | bluffing games: claims of secret roles, challenges, blocks |
| `dice` | dice notation: `2d6+1` |
| `flow` | a stack of pending tasks, response windows, simultaneous choices, passed hands |
| `maps` | open maps of tiles: which tiles fit, connected regions, a map as text |
| `money` | purses, costs and payments, ascending auctions |
"""
