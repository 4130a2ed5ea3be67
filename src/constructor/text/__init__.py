"""How a match reads: the messages of the document, the board in characters, logs of turns."""
