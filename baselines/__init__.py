"""Baselines: learners, search, heuristics, evaluation and the command line."""
