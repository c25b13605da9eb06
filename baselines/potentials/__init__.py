"""Potentials for shaped rewards in training, one module a game that has one."""
