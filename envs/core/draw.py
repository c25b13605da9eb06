"""Pictures for every game: a small SVG builder, a rasteriser, files and text for terminals.

Nothing here knows a game, a display or the environment variables. Equal calls give equal bytes,
on every machine.
"""

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .extras import install
from .files import write_atomically

FONT = "DejaVu Sans"
_FONT_FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")  # shipped by matplotlib
_MISSING = f"pixels need resvg-py and matplotlib's fonts: {install('viz')}"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

View = np.void | npt.NDArray[np.void]


def record_of(view: View) -> np.void:
    """The one record that a View holds, whatever its shape."""
    records = np.asarray(view).reshape(-1)
    if len(records) != 1:
        raise ValueError(f"a picture shows one View, got an array of {len(records)}")
    record: np.void = records[0]
    return record


# --- SVG ----------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A number as short text: at most three decimals, no trailing zeros, no minus zero."""
    text = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def disc(cx: float, cy: float, rx: float, ry: float | None = None) -> str:
    """Path data of a circle, or of an ellipse where `ry` is given."""
    ry = rx if ry is None else ry
    return (
        f"M{number(cx - rx)} {number(cy)}"
        f"a{number(rx)} {number(ry)} 0 1 0 {number(2 * rx)} 0"
        f"a{number(rx)} {number(ry)} 0 1 0 {number(-2 * rx)} 0z"
    )


class Svg:
    """An SVG document under construction; `text()` gives it as it stands.

    Every further keyword of a shape is an SVG attribute, underscores standing for hyphens:
    `svg.rect(0, 0, 40, 56, rx=5, fill="#fff", stroke_width=2)`.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, **style: str | float) -> None:
        """A rectangle with its top left corner at (x, y)."""
        self._add("rect", style, x=x, y=y, width=width, height=height)

    def circle(self, cx: float, cy: float, r: float, **style: str | float) -> None:
        """A circle around (cx, cy)."""
        self._add("circle", style, cx=cx, cy=cy, r=r)

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: str | float) -> None:
        """A straight line."""
        self._add("line", style, x1=x1, y1=y1, x2=x2, y2=y2)

    def path(self, d: str, **style: str | float) -> None:
        """A path from its data, as SVG writes it."""
        self._add("path", style, d=d)

    def label(
        self,
        x: float,
        y: float,
        content: str,
        size: float,
        *,
        anchor: str = "start",
        bold: bool = False,
        **style: str | float,
    ) -> None:
        """A line of text on the baseline y; `anchor` (start, middle, end) says what x is."""
        if anchor != "start":
            style["text_anchor"] = anchor
        if bold:
            style["font_weight"] = "bold"
        self._open("text", style, x=x, y=y, font_size=size)
        self._parts[-1] += f"{_escape(content)}</text>"

    @contextmanager
    def group(self, x: float = 0, y: float = 0, scale: float = 1, **style: str | float) -> Iterator[None]:
        """Draw what follows with its origin moved to (x, y) and its size multiplied by `scale`."""
        moves = [f"translate({number(x)} {number(y)})"] if x or y else []
        moves += [f"scale({number(scale)})"] if scale != 1 else []
        self._open("g", style, **({"transform": " ".join(moves)} if moves else {}))
        yield
        self._parts.append("</g>")

    def text(self) -> str:
        """The whole document."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" '
            f'font-family="{FONT}, Verdana, sans-serif">'
        )
        return "\n".join([head, *self._parts, "</svg>\n"])

    def _add(self, tag: str, style: Mapping[str, str | float], **own: str | float) -> None:
        self._parts.append(f"<{tag}{_attributes(own)}{_attributes(style)}/>")

    def _open(self, tag: str, style: Mapping[str, str | float], **own: str | float) -> None:
        self._parts.append(f"<{tag}{_attributes(own)}{_attributes(style)}>")


def _escape(text: str) -> str:
    """Text as XML may carry it: marks escaped, characters that XML forbids replaced."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def _attributes(attributes: Mapping[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{_escape(value) if isinstance(value, str) else number(value)}"'
        for name, value in attributes.items()
    )


# --- Pixels -------------------------------------------------------------------------------------


@cache
def _font_files() -> list[str]:
    """The font files shipped by matplotlib, found without importing it."""
    spec = find_spec("matplotlib")
    folders = spec.submodule_search_locations if spec is not None else None
    if not folders:
        raise ImportError(_MISSING)
    fonts = Path(folders[0]) / "mpl-data" / "fonts" / "ttf"
    return [str(fonts / name) for name in _FONT_FILES]


def rasterise(svg: str, width: int | None = None) -> npt.NDArray[np.uint8]:
    """The picture as (height, width, 3) uint8; `width` in pixels scales it, height following.

    Only the fonts that the `viz` extra ships are used, never the machine's own. Raises ImportError
    without the extra and ValueError for a text that is not SVG.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(_MISSING) from error
    with Image.open(io.BytesIO(_png(svg, width))) as image:
        return np.array(image.convert("RGB"))


def _png(svg: str, width: int | None = None) -> bytes:
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError(_MISSING) from error
    png: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background="white",
        skip_system_fonts=True,
        font_files=_font_files(),
        font_family=FONT,
        sans_serif_family=FONT,
    )
    return png


# --- Files --------------------------------------------------------------------------------------


def check_picture(path: Path) -> None:
    """Raise ValueError for a file name that no picture can be written under."""
    if path.suffix not in (".svg", ".png"):
        raise ValueError(f"the picture's name is {str(path)!r}, must end in .svg or .png")


def save_picture(path: Path, svg: str) -> None:
    """Write a picture as SVG or as PNG, by the file's name, whole or not at all.

    Raises ValueError for another ending and ImportError where PNG is asked for without the extra `viz`.
    """
    check_picture(path)
    write_atomically(path, svg.encode() if path.suffix == ".svg" else _png(svg))


# --- Terminals ----------------------------------------------------------------------------------

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Pen:
    """Paints words for a terminal of 256 colours, or leaves them plain if `colour` is off."""

    colour: bool = True

    def __call__(
        self,
        text: str,
        ink: int | None = None,
        paper: int | None = None,
        *,
        bold: bool = False,
        dim: bool = False,
    ) -> str:
        """`text` with ink and paper from the 256-colour palette."""
        codes = [code for code, on in (("1", bold), ("2", dim)) if on]
        codes += [f"38;5;{ink}"] if ink is not None else []
        codes += [f"48;5;{paper}"] if paper is not None else []
        if not (self.colour and codes and text):
            return text
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"


def visible_length(text: str) -> int:
    """How many terminal columns the text takes: colour codes none, wide characters two."""
    return sum(_columns(character) for character in _ESCAPE.sub("", text))


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """The text filled with spaces up to `width` columns; a longer one stays as it is."""
    return text + " " * (width - visible_length(text))


def flow(words: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Words set in lines of at most `width` columns, `gap` between them; no word is broken."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{gap}{word}" if lines else word
        if lines and visible_length(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def box(sections: Iterable[Iterable[str]], width: int, title: str = "") -> str:
    """A frame `width` columns wide around sections of lines, ruled off from each other."""
    inner = width - 4
    head = f"─ {title} " if title else ""
    frame = ["┌" + head + "─" * (width - 2 - visible_length(head)) + "┐"]
    for index, lines in enumerate(sections):
        if index:
            frame.append("├" + "─" * (width - 2) + "┤")
        frame += [f"│ {pad(line, inner)} │" for line in lines]
    frame.append("└" + "─" * (width - 2) + "┘")
    return "\n".join(frame)
