"""Harnesses that throw damaged and made-up input at everything that comes from outside.

`make fuzz SECONDS=60` runs them all; CONTRIBUTING.md says how to add one.
"""
