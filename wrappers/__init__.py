"""Wrappers: what a seat is shown, and the forms that other libraries expect."""
