"""How a match reads: sentences, the boards of the document and of small terminals, colours."""
