"""Harnesses that throw damaged and made-up input at everything that comes from outside.

Hypothesis makes the inputs, makes findings small and keeps them; Atheris, where it is installed,
leads it to code that no input has reached. `make fuzz SECONDS=60` runs all harnesses;
CONTRIBUTING.md says how to add one.
"""
