"""Parts that games are made of: cards, dice, boards, money, and phases that many games share.

Each module stands alone, and none of it is required: plain functions, and small classes of plain
data that may stand in a state as they are.

| module | has |
|---|---|
| `auction` | rising bids, until all but one have passed |
| `bank` | amounts of things, paid from one purse to another |
| `cards` | a deck from counts, the French deck, tricks |
| `dice` | dice in the usual notation: `2d6+1` |
| `draft` | choices that are made at the same time, and hands that are passed on |
| `grid` | square and hexagonal boards: neighbours, lines, rings, regions, paths, symmetry |
| `market` | a row of cards that is filled up from a deck |
| `piles` | drawing, dealing, and mixing what somebody cannot see |
| `todo` | what is still to do: interruptions, and reactions in the order of seats |
"""
