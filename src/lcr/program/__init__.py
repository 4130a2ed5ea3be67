"""The program `lcr`: its questions, its window, and the sweep of very many games."""
