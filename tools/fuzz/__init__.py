"""Fuzz tests of all functions that read external input.

Hypothesis generates the inputs, and shrinks and stores the findings. Atheris, if it is installed,
finds inputs that reach new code. `make fuzz SECONDS=60` runs all harnesses. CONTRIBUTING.md
explains how to add one.
"""
