"""The proofs are those of the files as they are; and a change of any file that one depends on is noticed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import proofs

PROOF, DOUBTFUL, NEW = "tests/test_sum.py", "tests/test_doubtful.py", "tests/test_new.py"
MARKED = f"import pytest\npytestmark = {proofs.MARK}\n"
pytestmark = pytest.mark.xdist_group("proofs")  # the small project is proved once
FILES = {
    PROOF: f"""{MARKED}
from pathlib import Path
from games import total

def test_sum():
    assert total.total() == int(Path("games/chapters/sum.txt").read_text())
""",
    DOUBTFUL: f"""{MARKED}
import subprocess
import sys
from pathlib import Path

def test_wrong():
    raise AssertionError

def test_left_out():
    pytest.skip("no")

def test_elsewhere():
    subprocess.run([sys.executable, "--version"])

def test_change():
    Path("games/unused.py").touch()
    from games import unused
""",
    "games/__init__.py": "",
    "games/total.py": "from games import part\n\ndef total():\n    return part.PART + 2\n",
    "games/part.py": "PART = 1\n",
    "games/unused.py": "",
    "games/chapters/sum.txt": "3",
    "tests/__init__.py": "",
    "tests/proofs.toml": "",
}


def prove(project: Path) -> str:
    command = [sys.executable, "-m", "tests.proofs"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A small project after `make soak`, and the output of that."""
    project = tmp_path_factory.mktemp("project")
    for name, content in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(content, "utf-8")
    shutil.copy(proofs.__file__, project / "tests")
    return project, prove(project)


@pytest.fixture
def project(proved: tuple[Path, str], tmp_path: Path) -> Path:
    """Its copy without the doubtful proof, for a test that changes it."""
    shutil.copytree(proved[0], tmp_path / "project")
    (tmp_path / "project" / DOUBTFUL).unlink()
    return tmp_path / "project"


def test_every_proof_passed_with_the_files_as_they_are() -> None:
    stale = list(proofs.stale())
    assert not stale, "\n".join(stale)


def test_files_that_a_proof_imported_or_opened_are_recorded(proved: tuple[Path, str]) -> None:
    used = FILES.keys() - {DOUBTFUL, "games/unused.py", "tests/proofs.toml"}
    assert {module: set(files) for module, files in proofs.recorded(proved[0]).items()} == {PROOF: used}


@pytest.mark.parametrize(
    "doubt",
    ["a test failed", "::test_left_out was skipped", "another Python process", "games/unused.py changed"],
)
def test_run_that_proves_nothing_is_not_recorded(proved: tuple[Path, str], doubt: str) -> None:
    (line,) = [line for line in proved[1].splitlines() if line.startswith(f"NOT PROVED  {DOUBTFUL}: ")]
    assert doubt in line


@pytest.mark.parametrize("path", ["games/part.py", "games/chapters/sum.txt", PROOF])
def test_changed_file_makes_its_proof_stale(project: Path, path: str) -> None:
    (project / path).write_text(FILES[path] + "\n", "utf-8")
    assert list(proofs.stale(project)) == [f"{PROOF}: {path} changed. Run: make soak ARGS={PROOF}"]


def test_file_that_is_gone_makes_its_proof_stale(project: Path) -> None:
    (project / "games/part.py").unlink()
    assert list(proofs.stale(project)) == [f"{PROOF}: games/part.py is gone. Run: make soak ARGS={PROOF}"]


def test_file_that_no_proof_used_may_change(project: Path) -> None:
    (project / "games/unused.py").write_text("USED = False\n", "utf-8")
    assert list(proofs.stale(project)) == []


def test_proof_without_entry_and_entry_without_proof_are_named(project: Path) -> None:
    (project / PROOF).rename(project / NEW)
    assert list(proofs.stale(project)) == [
        f"{NEW}: it never passed. Run: make soak ARGS={NEW}",
        f"{PROOF}: it has no proof now. Run: make soak ARGS={PROOF}",
    ]
