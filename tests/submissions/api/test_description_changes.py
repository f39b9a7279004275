"""Two descriptions compared: each kind of change is named, and whether it breaks a program."""

from __future__ import annotations

import copy
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command

from submissions.api.framework.description_changes import Change, as_markdown, changes_between

ROOT = Path(__file__).parents[3]
COMMITTED = ROOT / "tests" / "recorded" / "openapi.yaml"
RELEASED = ROOT / "tests" / "fixtures" / "openapi-1.yaml.xz"
LEFT: list[Change] = []  # what programs of the last release can no longer do, and the changelog says so
ROWS = "`GET /api/v1/submissions/`"
START = "`POST /api/v1/submissions/`"


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    whole: dict[str, Any] = yaml.load(COMMITTED.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return whole


def rows(whole: dict[str, Any], method: str = "get") -> Any:
    return whole["paths"]["/api/v1/submissions/"][method]


def status_of(whole: dict[str, Any]) -> Any:
    return next(each for each in rows(whole)["parameters"] if each["name"] == "status")


def no_address(whole: dict[str, Any]) -> None:
    del whole["paths"]["/api/v1/register/"]


def no_member(whole: dict[str, Any]) -> None:
    del whole["components"]["schemas"]["Submission"]["properties"]["receipt"]


def no_parameter(whole: dict[str, Any]) -> None:
    rows(whole)["parameters"].remove(status_of(whole))


def no_value(whole: dict[str, Any]) -> None:
    status_of(whole)["schema"]["items"]["enum"].remove("draft")


def needed_member(whole: dict[str, Any]) -> None:
    whole["components"]["schemas"]["CreateRequest"]["required"].append("takes_effect")


BREAKING: dict[Callable[[dict[str, Any]], None], Change] = {
    no_address: Change(True, "`GET /api/v1/register/`", "removed"),
    no_member: Change(True, ROWS, "no longer answers `results[].receipt`"),
    no_parameter: Change(True, ROWS, "no longer has the parameter `status`"),
    no_value: Change(True, ROWS, "no longer takes `status=draft`"),
    needed_member: Change(True, START, "now requires `takes_effect`"),
}


def test_same_description_has_no_changes(description: dict[str, Any]) -> None:
    assert changes_between(description, description) == []


@pytest.mark.parametrize("change", BREAKING, ids=lambda change: change.__name__)
def test_change_that_breaks_is_named(description: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    changed = copy.deepcopy(description)
    change(changed)
    assert BREAKING[change] in changes_between(description, changed)


@pytest.mark.parametrize("change", [no_address, no_member, no_parameter], ids=lambda change: change.__name__)
def test_what_is_added_breaks_nothing(description: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    earlier = copy.deepcopy(description)
    change(earlier)
    changes = changes_between(earlier, description)
    assert changes
    assert not [each for each in changes if each.breaking]


def test_only_what_left_since_the_last_release_breaks_a_program(description: dict[str, Any]) -> None:
    with lzma.open(RELEASED, "rt", encoding="utf-8") as file:
        changes = changes_between(yaml.load(file, yaml.CSafeLoader), description)
    assert [change for change in changes if change.breaking] == LEFT


def test_many_addresses_are_counted_but_named_where_they_are_new_or_break() -> None:
    def printed(what: str, *, breaking: bool) -> str:
        return as_markdown([Change(breaking, f"`GET /{number}/`", what) for number in range(6)])

    assert printed("can answer 412", breaking=False).count("\n- ") == 1
    assert printed("new", breaking=False).count("\n- ") == 6
    assert printed("removed", breaking=True).count("\n- ") == 6


def test_way_to_sign_in_is_named(description: dict[str, Any]) -> None:
    earlier = copy.deepcopy(description)
    del earlier["components"]["securitySchemes"]["oauth"]
    assert changes_between(earlier, description) == [Change(False, "Sign-in", "`oauth` added")]
    assert changes_between(description, earlier) == [Change(True, "Sign-in", "`oauth` removed")]


def test_command_says_what_breaks(
    description: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two addresses. One file is stored compressed."""
    addresses = ("/api/v1/register/", "/api/v1/submissions/")
    small = description | {"paths": {address: description["paths"][address] for address in addresses}}
    earlier, later = tmp_path / "earlier.yaml.xz", tmp_path / "later.yaml"
    with lzma.open(earlier, "wt", encoding="utf-8") as file:
        yaml.dump(small, file, yaml.CSafeDumper)
    no_address(small)
    later.write_text(yaml.dump(small, Dumper=yaml.CSafeDumper), encoding="utf-8")
    for files, status in (((earlier, later), 1), ((later, earlier), 0), ((tmp_path / "none.yaml", later), 2)):
        with pytest.raises(SystemExit) as ended:
            call_command("compare_openapi", *map(str, files))
        assert int(ended.value.code or 0) == status
    assert "- `GET /api/v1/register/`: removed" in capsys.readouterr().out
