"""The README's tables, made anew from the games and figures that are kept in ``baselines/results``.

``tables.toml`` there describes each table, under the name that the README's markers give it
(``<!-- table NAME -->`` to ``<!-- end of NAME -->``):

    results   files and folders, patterns allowed, relative to ``baselines/results``
    list      what the records are: ``lines`` of an evaluation (the default, computed from its games),
              its ``agents`` (where trained ones come from), ``bench`` figures, or the rows of any list
              of a results.json by its key
    where     only records like this; a text may be a pattern, a list means any of these
    rows      lines of the table, each with conditions like ``where``, its ``text`` (the first column)
              and, if it differs, its ``cell``; with ``each = true`` one line for each agent that fits.
              Without it, every record is a row
    columns   head = format of the record's values, such as ``"{share:.1%}"``
    across    a value (such as ``players``) that has one column for each of its values, filled by ``cell``
    names     what to write for an agent
    commands  what makes the files, for `outbreak results --list`

Where several records fit a row, a number is their mean, ``{share.least}`` and ``{share.most}`` the ends
of their range.
"""

from __future__ import annotations

import fnmatch
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.files import write_atomically
from outbreak_rl.envs.core.options import nearest
from outbreak_rl.envs.core.toml import tomllib

from .evaluate import load, read_results, summarise

Record = dict[str, Any]

FOLDER = Path("baselines") / "results"
_MARKED = re.compile(r"(<!-- table (\S+) -->\n)(.*?)(<!-- end of \2 -->)", re.DOTALL)
_UNSURE = ("seconds", "games_a_second")  # of a line: what does not follow from the games


@dataclass(frozen=True)
class Table:
    """One table of the README, as tables.toml describes it (see the module's docstring)."""

    name: str
    results: Sequence[str]
    list: str = "lines"
    where: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    across: str = ""
    cell: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    commands: Sequence[str] = ()
    caption: bool = True


class Figure(float):
    """The mean of several numbers, with the ends of their range."""

    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Figure:
        """From one number or more."""
        new = cls(math.fsum(values) / len(values))
        new.least, new.most = min(values), max(values)
        return new


# --- reading --------------------------------------------------------------------------------------


def describe(root: Path) -> list[Table]:
    """The tables of a checkout; raises ValueError where it has none or describes them wrongly."""
    path = root / FOLDER / "tables.toml"
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise ValueError(f"{path} cannot be read: run this in a checkout, or name one by --root") from None
    except tomllib.TOMLDecodeError as wrong:
        raise ValueError(f"{path} is not valid TOML: {wrong}") from None
    tables = []
    for name, entries in values.items():
        for key in entries:
            if key not in Table.__dataclass_fields__ or key == "name":
                raise ValueError(
                    f"{path}: [{name}] has no key {key!r}{nearest(key, list(Table.__dataclass_fields__))}"
                )
        if "results" not in entries:
            raise ValueError(f"{path}: [{name}] must say where its results are")
        tables.append(Table(name, **entries))
    return tables


class Results:
    """The result files of a checkout, each read once."""

    def __init__(self, root: Path) -> None:
        self.folder = root / FOLDER
        self._lines: dict[Path, list[Record]] = {}

    def places(self, table: Table) -> list[Path]:
        """A table's files and folders, in the order of its patterns."""
        found: list[Path] = []
        for pattern in table.results:
            here = sorted(self.folder.glob(pattern))
            if not here:
                raise ValueError(f"table {table.name}: there is nothing at {self.folder / pattern}")
            found += here
        return found

    def about(self, place: Path) -> Record:
        """What a file or a folder's results.json says."""
        path = place / "results.json" if place.is_dir() else place
        return read_results(path)

    def lines(self, folder: Path) -> list[Record]:
        """The lines of an evaluation, computed from its games."""
        if folder not in self._lines:
            about, played = load(folder)
            game = find_game(about["game"])
            self._lines[folder] = [summarise(game, cell, games) for cell, games in played]
        return self._lines[folder]

    def records(self, table: Table) -> Iterator[Record]:
        """What a table's rows are made of."""
        for place in self.places(table):
            about = self.about(place)
            if table.list == "lines":
                found = self.lines(place)
            elif table.list == "agents":
                found = [{"agent": name, **values} for name, values in about["agents"].items()]
            elif table.list == "bench":
                found = [_bench_record(about)]
            elif isinstance(about.get(table.list), list):
                found = about[table.list]
            else:
                raise ValueError(f"table {table.name}: {place} has no list {table.list!r}")
            yield from (record for record in found if _fits(record, table.where))


def _bench_record(about: Record) -> Record:
    """Figures by their keys, a list of one a setting each: ``{batch_1[0].millions:.2f}``."""
    found: Record = {"title": about["title"], **about["machine"]}
    for row in about["rows"]:
        millions = row["value"] / 1e6
        found.setdefault(row["key"], []).append(SimpleNamespace(**row, millions=millions))
    return found


def _fits(record: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    return all(_matches(record.get(key), wanted) for key, wanted in conditions.items())


def _matches(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return any(_matches(value, each) for each in wanted)
    if isinstance(wanted, str) and isinstance(value, str):
        return fnmatch.fnmatchcase(value, wanted)
    return bool(value == wanted)


# --- making ---------------------------------------------------------------------------------------


def render(table: Table, results: Results) -> str:
    """A table in Markdown, with the commands and versions that its files name."""
    records = list(results.records(table))
    if not records:
        raise ValueError(f"table {table.name}: none of its records fits")
    heads, rows = (
        ([""], _named_rows(table, records)) if table.rows else ([], [("", r) for r in _each(records)])
    )
    values = list(dict.fromkeys(record[table.across] for record in records)) if table.across else []
    heads = [*heads, *table.columns, *(str(value) for value in values)]
    lines = [heads, ["---"] * len(heads)]
    for row, chosen in rows:
        conditions = row if isinstance(row, dict) else {}
        cells = [_filled(table, conditions.get("text", ""), chosen)] if table.rows else []
        cells += [_filled(table, text, chosen) for text in table.columns.values()]
        for value in values:
            here = [record for record in chosen if record[table.across] == value]
            cells.append(_filled(table, conditions.get("cell", table.cell), here) if here else "")
        lines.append(cells)
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return text + "\n" + (_caption(table, results) if table.caption else "")


def _each(records: Sequence[Record]) -> list[list[Record]]:
    return [[record] for record in records]


def _named_rows(table: Table, records: Sequence[Record]) -> list[tuple[Any, list[Record]]]:
    """The described rows with the records that fit them."""
    found: list[tuple[Any, list[Record]]] = []
    for row in table.rows:
        conditions = {key: value for key, value in row.items() if key not in ("text", "cell", "each")}
        chosen = [record for record in records if _fits(record, conditions)]
        if not chosen:
            raise ValueError(f"table {table.name}: nothing fits the row {row.get('text', '')!r}")
        if not row.get("each"):
            found.append((row, chosen))
            continue
        by = next((k for k, v in conditions.items() if isinstance(v, str) and "*" in v), "agent")
        for value in dict.fromkeys(record[by] for record in chosen):
            found.append((row, [record for record in chosen if record[by] == value]))
    return found


def _filled(table: Table, text: str, records: Sequence[Record]) -> str:
    """A format filled with the values of one record, or with the means of several."""
    merged: Record = {}
    for key, value in records[0].items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        alike = all(record.get(key) == value for record in records)
        if number and not (alike and isinstance(value, int)):
            value = Figure.of([record[key] for record in records if key in record])
        merged[key] = table.names.get(value, value) if isinstance(value, str) else value
    try:
        return text.format(**merged)
    except (KeyError, AttributeError, IndexError, ValueError) as wrong:
        raise ValueError(
            f"table {table.name}: {text!r} cannot be filled ({wrong}); there are {', '.join(merged)}"
        ) from None


def _caption(table: Table, results: Results) -> str:
    """The commands and versions behind a table, as its files name them."""
    commands: list[str] = []
    versions: dict[str, list[str]] = {}
    for about in map(results.about, results.places(table)):
        commands.append("`" + shlex.join(about["command"]) + "`")
        for name, number in about["versions"].items():
            versions.setdefault(name, []).append(number)
    made = [f"{name} {' and '.join(dict.fromkeys(numbers))}" for name, numbers in versions.items()]
    return "\n" + "\\\n".join(dict.fromkeys(commands)) + f"\\\n({', '.join(made)})\n"


# --- the README -----------------------------------------------------------------------------------


def rebuilt(root: Path) -> tuple[str, str]:
    """The README as it is, and with its tables made anew."""
    tables = {table.name: table for table in describe(root)}
    results = Results(root)
    text = (root / "README.md").read_text("utf-8")
    marked = [match[2] for match in _MARKED.finditer(text)]
    opened = re.findall(r"<!-- table (\S+) -->", text)
    for name in opened:
        if name not in marked:
            raise ValueError(f"README.md: the table {name} has no <!-- end of {name} -->")
        if name not in tables:
            raise ValueError(f"README.md: there is no table {name!r}{nearest(name, list(tables))}")
    missing = [name for name in tables if name not in marked]
    if missing:
        raise ValueError(f"README.md has no place (<!-- table NAME -->) for {', '.join(missing)}")
    made = _MARKED.sub(lambda match: match[1] + render(tables[match[2]], results) + match[4], text)
    return text, made


def rebuild(root: Path) -> list[str]:
    """Write the README's tables anew; returns the names of those that changed."""
    before, after = rebuilt(root)
    if before != after:
        write_atomically(root / "README.md", after.encode())
    return _changed(before, after)


def check(root: Path) -> list[str]:
    """What is not as the files say, a sentence each."""
    wrong = [f"README.md: table {name} is not what its files say" for name in _changed(*rebuilt(root))]
    results = Results(root)
    for table in describe(root):
        for folder in results.places(table) if table.list == "lines" else ():
            kept, made = results.about(folder)["lines"], results.lines(folder)
            if len(kept) != len(made) or not all(map(_same, kept, made)):
                wrong.append(f"{folder / 'results.json'}: its lines are not what the games say")
    return list(dict.fromkeys(wrong))


def _changed(before: str, after: str) -> list[str]:
    pairs = zip(_MARKED.finditer(before), _MARKED.finditer(after), strict=True)
    return [old[2] for old, new in pairs if old[3] != new[3]]


def _same(kept: Record, made: Record) -> bool:
    """Whether two lines agree (rows keep six digits)."""
    if set(kept) != set(made):
        return False
    for key in set(kept) - set(_UNSURE):
        one, other = kept[key], made[key]
        if isinstance(one, float) or isinstance(other, float):
            if not math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-5):
                return False
        elif one != other and list(one) != list(other):
            return False
    return True
