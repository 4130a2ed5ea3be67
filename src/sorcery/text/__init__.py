"""Text displays: sentences for events, the document's board, a compact board, and colours."""
