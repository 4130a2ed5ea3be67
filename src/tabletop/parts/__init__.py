"""Parts that games are made of: cards, dice, boards, money, and phases that many games share.

Each module stands alone, and none is required: plain functions, and small classes of plain data for
use in a state.

| module | has |
|---|---|
| `board` | square and hexagonal boards: neighbours, lines, rings, regions, paths, symmetry |
| `cards` | decks from counts, the French deck, tricks, `qs`; piles, hands, rows; what was told |
| `claims` | roles that are claimed, true or not: deeds as data, doubts, blocks, cards shown |
| `dice` | dice in the usual notation: `2d6+1` |
| `flow` | a stack of what is to do; windows to object; choices at the same time, hands passed on |
| `maps` | tiles laid side by side without an edge: where one fits, regions, a map in text |
| `money` | purses, what something costs and paying for it; auctions with rising bids |
"""
