"""Cards: their parts, the editions that contain them, and the state of a match."""
