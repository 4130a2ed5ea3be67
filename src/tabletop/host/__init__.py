"""The machine below: files and locks, modules, and text that is safe to show on a screen."""
