"""The words of a chapter's folder: loaded only when they are asked for, with a digest of their own."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from games.registry import CHAPTERS, chapter, chapters, folders, words
from games.rules.errors import RuleError
from games.rules.loader import load
from games.rules.loading.words import load_words
from tests.games.rules.folder import copied, spoil


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.mark.parametrize("file", ["labels.toml", "guide.toml"])
def test_folder_without_a_file_of_words_is_refused_only_for_its_words(file: str, folder: Path) -> None:
    (folder / file).unlink()
    assert load(folder) == load(folders()["687a"])
    with pytest.raises(RuleError, match=f"^{folder.name}/{file}: file: is missing$"):
        load_words(load(folder), folder)


def test_fault_names_the_file_of_the_folder(folder: Path) -> None:
    spoil(folder, "labels.toml", "raise = ", "raze = ")
    with pytest.raises(RuleError, match=f"^{folder.name}/labels.toml: odds: unknown key `raze`; did you mean `raise`"):
        load_words(load(folder), folder)


def test_own_words_replace_a_common_name(folder: Path) -> None:
    spoil(folder, "labels.toml", "[says]\n", '[says]\ndiscard_rack = "Rack"\n')
    assert words("687a").labels.suggested["discard_rack"] == "Discard rack"
    assert load_words(load(folder), folder).labels.suggested["discard_rack"] == "Rack"


@pytest.mark.parametrize("name", ["3", '" Discard rack"', '""'])
def test_common_name_that_is_no_text_is_refused(name: str, folder: Path) -> None:
    spoil(folder.parent, "common.toml", '"Discard rack"', name)
    with pytest.raises(RuleError, match=r"^common\.toml: names: `discard_rack` is "):
        load_words(load(folder), folder)


def test_digest_follows_the_words_and_not_their_form(folder: Path) -> None:
    before = load_words(load(folder), folder).digest
    assert before == words("687a").digest
    spoil(folder, "labels.toml", "[labels]\n", "# Comment.\n\n[labels]\n\n")
    assert load_words(load(folder), folder).digest == before
    spoil(folder, "labels.toml", '"Replacement Card"', '"Replacement"')
    assert load_words(load(folder), folder).digest != before


@pytest.mark.parametrize(("name", "used"), [("Discard rack", True), ("Dice shaker", False)])
def test_digest_follows_the_common_names_that_are_used(name: str, used: bool, folder: Path) -> None:
    spoil(folder.parent, "common.toml", f'"{name}"', '"Thing"')
    assert (load_words(load(folder), folder).digest != words("687a").digest) is used


def test_rules_have_the_same_digest_with_other_words(folder: Path) -> None:
    spoil(folder.parent, "common.toml", '"Discard rack"', '"Thing"')
    (folder / "guide.toml").write_text("")
    assert load(folder).digest == chapter("687a").digest


def test_common_names_are_those_of_several_chapters() -> None:
    """The name of a device that only one chapter has is in the folder of that chapter."""
    names = tomllib.loads((CHAPTERS / "common.toml").read_text(encoding="utf-8"))["names"]
    uses = Counter(element.key for rules in chapters() for element in rules.layout if element.kind in ("box", "device"))
    assert [name for name in names if uses[name] < 2] == []
