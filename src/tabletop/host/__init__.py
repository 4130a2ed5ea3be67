"""The machine under it all: files and locks, modules, and what may be shown on a screen."""
