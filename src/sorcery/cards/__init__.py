"""The cards, one file a type; a card is a value of a few lines."""
