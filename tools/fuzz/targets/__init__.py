"""The harnesses, one a module."""
