"""A report says of a study what its rows say, and nothing that a stranger has written is run."""
