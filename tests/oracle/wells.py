"""The referee of the toy Wells."""

PATHS = {
    "ring": ("ab", "bc", "cd", "de", "ef", "fa"),
    "row": ("ab", "bc", "cd"),
    "corner": ("ab", "ac"),
}


def legal_actions(position: dict) -> set[str]:
    """Dig, or walk along a path."""
    state = position["state"]
    seat = state["stack"][0].get("seat", 0)
    here = "abcdef"[state["seats"][seat].get("at", 0)] if "seats" in state else "a"
    paths = PATHS[position["options"]["map"]]
    return {"dig"} | {f"walk to {path.replace(here, '', 1)}" for path in paths if here in path}
