"""The proofs: long computations that run again only when a file has changed that they depend on.

A proof is a test marked `proof`. Its outcome depends on nothing but files of this repository. `make soak` runs each
module with proofs in a process of its own. If all of them pass, it enters in `tests/proofs.toml` which files the
process imported or opened, with their digests; `tests/health/test_proofs.py` compares these. Not in them: packages
and programs of others (run `make soak` after `make lock`), and compiled code, which `games.compiled` keeps by the
digest of its sources.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from time import process_time, time

import pytest

ROOT = Path(__file__).resolve().parents[1]
RECORD = "tests/proofs.toml"
PRODUCT = ("games", "submissions", "portal", "templates", "tests")
CHAPTERS = "games/chapters"  # the names in this folder are the cases of the proofs of every chapter
MARK = "pytest.mark.proof"
OPTIONS = ("-m", "proof", "-p", "no:django", "-p", "no:cacheprovider", "--disable-warnings")
Files = dict[str, str]  # path → digest


class Unproved(Exception):
    """A run that is no proof of the files as they are now."""


def proofs(root: Path = ROOT) -> list[str]:
    """The modules that have proofs."""
    modules = sorted((root / "tests").rglob("test_*.py"))
    return [str(path.relative_to(root)) for path in modules if MARK in path.read_text(encoding="utf-8")]


def digest(path: Path) -> str:
    """Of the bytes of a file or of the names in a folder; empty if there is neither."""
    if path.is_dir():
        content = "/".join(sorted(each.name for each in path.iterdir() if each.name != "__pycache__")).encode()
    elif path.is_file():
        content = path.read_bytes()
    else:
        return ""
    return hashlib.sha256(content).hexdigest()[:16]


def recorded(root: Path = ROOT) -> dict[str, Files]:
    """The files of each proof as they were when it last passed."""
    return tomllib.loads((root / RECORD).read_text(encoding="utf-8"))


def stale(root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each proof that must run again, and for each entry without a proof."""
    entries, modules, now = recorded(root), proofs(root), cache(lambda path: digest(root / path))
    for module in sorted({*entries, *modules}):
        if module not in entries:
            reasons = ["it never passed"]
        elif module not in modules:
            reasons = ["it has no proof now"]
        else:
            changed = (path for path, then in entries[module].items() if now(path) != then)
            reasons = [f"{path} {'changed' if now(path) else 'is gone'}" for path in changed]
        if reasons:
            yield f"{module}: {', '.join(reasons)}. Run: make soak ARGS={module}"


def run(module: str) -> tuple[Files, float]:
    """Run the proofs of a module in this process. Return the files that they depend on, and processor seconds.

    Raises:
        Unproved: a test failed or was skipped, a file changed in it, or another Python process was started, whose
            imports are not seen here.
    """
    opened: set[str] = set()
    doubts: list[str] = []

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("open", "os.listdir") and not str(arguments[0]).endswith((".py", ".pyc")):
            opened.add(str(arguments[0]))  # of modules only those count that were imported: games.compiled reads all
        elif event == "os.fork" or (event == "subprocess.Popen" and "python" in str(arguments[0])):
            doubts.append(f"{event}: another Python process")

    class Outcomes:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.skipped:
                doubts.append(f"{report.nodeid} was skipped")

    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"  # without the plugin, which would load every application
    began = time()
    sys.addaudithook(note)
    if pytest.main([module, *OPTIONS, f"--confcutdir={Path(module).parent}"], plugins=[Outcomes()]):
        doubts.append("a test failed")
    files = {path: digest(ROOT / path) for path in sorted(_product(opened) | _product(_imported()))}
    doubts += [f"{path} changed" for path in files if (ROOT / path).stat().st_mtime > began]
    if doubts:
        raise Unproved(f"{module}: {', '.join(doubts)}")
    return files, process_time()


def _imported() -> set[str]:
    return {str(getattr(module, "__file__", None)) for module in [*sys.modules.values()]} - {__file__}


def _product(paths: set[str]) -> set[str]:
    """Those that are the project's, relative to it."""
    relative = {str((ROOT / path).resolve()).removeprefix(f"{ROOT}/") for path in paths}
    inside = {path for path in relative if path.split("/")[0] in PRODUCT and "__pycache__" not in path}
    return {path for path in inside if (ROOT / path).is_file() or path == CHAPTERS}


def main(modules: list[str]) -> int:
    """Run the proofs of these modules, or all. Record those that pass, and remove entries without a proof."""
    current, failures = proofs(), 0
    for module in modules or current:
        entries = {name: files for name, files in recorded().items() if name in current and name != module}
        if module in current:
            try:
                with ProcessPoolExecutor(1, get_context("spawn")) as process:
                    entries[module], seconds = process.submit(run, module).result()
                print(f"proved    {module}, {seconds:.0f} s")
            except Unproved as doubt:
                print(f"NOT PROVED  {doubt}")
                failures += 1
        _write(entries)
    return min(failures, 1)


def _write(entries: dict[str, Files]) -> None:
    tables = (
        f'["{module}"]\n' + "".join(f'"{path}" = "{then}"\n' for path, then in entries[module].items())
        for module in sorted(entries)
    )
    (ROOT / RECORD).write_text("# Written by `make soak`.\n\n" + "\n".join(tables), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
