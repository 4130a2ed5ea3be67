"""Where a user's records and scores lie, and keeping them; no screen in it.

| module | what is in it |
|---|---|
| `paths` | where records and scores lie, and what time it is |
| `provenance` | which game a record is replayed with |
| `save_score` | the score of a match that has ended: shown, and kept |
| `score_tables` | score sheets as text, tables, CSV and JSON |
| `replay_command` | the command that plays the world of a match again |

What is to be shown goes to a function that a front hands in.
"""
