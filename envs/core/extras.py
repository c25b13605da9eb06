"""The package's extras: what is not needed to play, and how to get it."""


def install(extra: str) -> str:
    """The end of an error message: the command that installs an extra, as the README gives it."""
    return f"pip install '.[{extra}]' in the checkout"
