"""Scripted players, one module a game, written against Views only."""
