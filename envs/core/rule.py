"""The one decorator for compiled rules: cache, no lock held, checks, plain-Python fallback.

A rule is an ordinary function over records.  Three ways to run it, all with the same bytes:

- compiled (the default): Numba, cached on disk in a folder named by the digest of everything that
  the machine code depends on (core, the game's folder, versions, flags);
- checked (``OUTBREAK_CHECK=1``): the same, with bounds checks and every ``require`` compiled in;
- plain (``NUMBA_DISABLE_JIT=1``): no compiler at all, over the twins of `plain`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import shutil
import stat
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import filelock
import numba
import numpy as np
import platformdirs
from numba import njit
from numba import types as nbtypes
from numba.core import config, event

F = TypeVar("F", bound=Callable[..., Any])

CHECK = os.environ.get("OUTBREAK_CHECK", "") not in ("", "0")
PLAIN = bool(config.DISABLE_JIT)

_CORE = Path(__file__).parent
_PACKAGE = __name__.rsplit(".", 2)[0]  # outbreak_rl.envs
_KEPT_DIGESTS = 5
# Adapters and texts: no rule may live there, so that an edit to them needs no compile.
_WITHOUT_RULES = frozenset(
    f"{name}.py"
    for name in (
        "adapters",
        "aec",
        "batch",
        "cases",
        "counting",
        "draw",
        "extras",
        "files",
        "notation",
        "parallel",
        "position",
        "replay",
    )
)


class IllegalAction(ValueError):
    """An action that the rules of the game do not allow in the present position."""


def _wide(kind: Any) -> Any:
    """The type as which an argument is compiled: every whole number is an int64.

    Without this a rule is compiled anew for each literal and each integer width it is called with.
    """
    kind = nbtypes.unliteral(kind)
    whole = isinstance(kind, (nbtypes.Integer, nbtypes.Boolean, nbtypes.IntEnumMember))
    return nbtypes.int64 if whole and kind != nbtypes.uint64 else kind


def rule(function: F, *, entry: bool = False) -> F:
    """Compile a rule (or leave it alone in plain mode).

    Rules of a game are cached in that game's folder; the small helpers of core are compiled into
    whatever uses them.  ``entry=True`` keeps the argument types as they are (kernels).
    """
    if PLAIN:
        return function
    source = Path(function.__code__.co_filename).name
    if source in _WITHOUT_RULES:
        raise RuntimeError(
            f"{source} may not hold the rule {function.__name__}: an edit there recompiles nothing"
        )
    folder = game_folder(function.__module__)
    options: dict[str, Any] = {"nogil": True, "boundscheck": CHECK, "error_model": "python"}
    if folder == _CORE and not entry:
        dispatcher = njit(**options)(function)
    else:
        with _cache_in(cache_folder(folder)):
            dispatcher = njit(cache=True, **options)(function)
    if not entry:
        choose = dispatcher.get_call_template

        def choose_wide(args: Any, kws: Any) -> Any:
            return choose(tuple(map(_wide, args)), {name: _wide(kind) for name, kind in kws.items()})

        dispatcher.get_call_template = choose_wide
    return dispatcher  # type: ignore[no-any-return]


def rebound(template: types.FunctionType, module: str, names: dict[str, Any]) -> Any:
    """Compile core's generic function with a game's own functions in place of its global names.

    A closure or a function argument would do the same but is never found again in Numba's cache.
    """
    own = types.FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)
    own.__module__ = module
    own.__qualname__ = f"{module}.{template.__name__}"
    return rule(own, entry=True)


# --- where machine code is kept -----------------------------------------------------------------


@functools.cache
def game_folder(module: str) -> Path:
    """The folder whose sources decide about the compiled code of a module's rules."""
    file = Path(str(sys.modules[module].__file__)).resolve()
    if not module.startswith(_PACKAGE + "."):
        return file.parent
    return _CORE.parent / module[len(_PACKAGE) + 1 :].split(".")[0]


@functools.cache
def digest(folder: Path) -> str:
    """What the compiled rules of a game depend on, as 20 hex digits.

    Counted are the sources of core and of the game, and data files that lie in the game's folder
    itself (they may be frozen into code).  Data in sub-folders are tables given at run time.
    Rules that lie outside `envs` (scripted players) may build on any game: all are counted.
    """
    total = hashlib.sha256()
    flags = sorted(f"{key}={value}" for key, value in os.environ.items() if key.startswith("NUMBA_"))
    versions = [numba.__version__, np.__version__, sys.version, platform.machine(), str(CHECK)]
    total.update("\n".join(versions + flags).encode())
    games = _CORE.parent
    places = [_CORE, folder]
    if games not in folder.parents:
        places += sorted(place for place in games.iterdir() if place.is_dir())
    for place in dict.fromkeys(places):
        sources = [file for file in place.rglob("*.py") if file.name not in _WITHOUT_RULES]
        files = [*sources, *place.glob("*.toml"), *place.glob("*.json")]
        for file in sorted(files):
            total.update(str(file.relative_to(place)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:20]


def cache_folder(folder: Path) -> Path:
    """This game's cache folder for the present digest."""
    return cache_root() / folder.name / digest(folder)


@functools.cache
def cache_root() -> Path:
    """A private writable folder for machine code: OUTBREAK_CACHE_DIR, the user's cache, or temporary.

    Cache files are executed when loaded, so a shared temporary folder is used only if it is ours.
    """
    wished = os.environ.get("OUTBREAK_CACHE_DIR")
    if wished:
        if _writable(Path(wished)):
            return Path(wished).resolve()
        raise OSError(f"OUTBREAK_CACHE_DIR names {wished!r}, which is not a writable folder")
    with contextlib.suppress(RuntimeError, KeyError):
        home = Path(platformdirs.user_cache_dir("outbreak-rl", appauthor=False))
        if _writable(home):
            return home
    user = os.getuid() if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir()) / f"outbreak-rl-{user}"
    with contextlib.suppress(OSError):
        shared.mkdir(mode=0o700, exist_ok=True)
        about = shared.lstat()
        private = stat.S_ISDIR(about.st_mode) and not about.st_mode & 0o077
        if private and (not hasattr(os, "getuid") or about.st_uid == os.getuid()) and _writable(shared):
            return shared
    return Path(tempfile.mkdtemp(prefix="outbreak-rl-"))


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Numba reads the cache folder when its decorator runs: set it only there, for nobody else."""
    folder.mkdir(parents=True, exist_ok=True)
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _Tell(event.Listener):  # type: ignore[misc]
    """Says once, on the error stream, that a first compile runs (never for loads from the cache)."""

    def __init__(self, name: str) -> None:
        self.name = name

    def on_start(self, event: Any) -> None:
        if self.name:
            print(
                f"outbreak: compiling the rules of {self.name} (once; later starts take a second)",
                file=sys.stderr,
            )
            self.name = ""

    def on_end(self, event: Any) -> None:
        pass


def build(kernel: Any, arguments: tuple[Any, ...], name: str = "") -> None:
    """Compile a kernel for exactly these argument types, or load it; other types are then refused.

    name: of the game, for the notice that a first compile runs (none without a name).
    One process compiles a game at a time: others wait and load what the first one has written.
    """
    if PLAIN or kernel.signatures:
        return
    folder = cache_folder(game_folder(kernel.py_func.__module__))
    signature = tuple(numba.typeof(argument) for argument in arguments)
    with filelock.FileLock(folder / "lock"), event.install_listener("numba:compile", _Tell(name)):
        try:
            kernel.compile(signature)
        except (OSError, EOFError, pickle.UnpicklingError, RuntimeError, ValueError) as wrong:
            if not any(folder.rglob("*.nbi")):
                raise
            print(f"outbreak: {folder} is damaged ({wrong}); compiling anew", file=sys.stderr)
            for file in [*folder.rglob("*.nbi"), *folder.rglob("*.nbc")]:
                file.unlink()
            kernel.compile(signature)
        kernel.disable_compile()
        _prune(folder)


def entry_point(kernel: Any) -> Callable[..., Any]:
    """The machine code of a built kernel itself, which a call reaches in half the time.

    It trusts its caller: arguments must have exactly the types that the kernel was built for.
    """
    if not hasattr(kernel, "overloads"):  # plain Python
        return kernel  # type: ignore[no-any-return]
    (built,) = kernel.overloads.values()
    return built.entry_point  # type: ignore[no-any-return]


def _prune(folder: Path) -> None:
    """Keep the newest digests of a game."""
    folder.touch()
    others = sorted(
        (old for old in folder.parent.iterdir() if old.is_dir()), key=lambda old: -old.stat().st_mtime
    )
    for old in others[_KEPT_DIGESTS:]:
        shutil.rmtree(old, ignore_errors=True)


@rule
def require(holds):  # type: ignore[no-untyped-def]
    """Refuse an action where a precondition of its rule does not hold (compiled in when CHECK)."""
    if CHECK and not holds:
        raise IllegalAction("the rules do not allow this action here")


@rule
def nth(action, first, count):  # type: ignore[no-untyped-def]
    """Which action of a block of ids this is, from 0; one outside the block is refused (when CHECK)."""
    require(action >= first and action < first + count)
    return action - first
