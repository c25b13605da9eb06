"""Experiments: one TOML file each, in a folder per game."""
