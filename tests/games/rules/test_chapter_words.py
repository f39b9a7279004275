"""The words of a chapter's folder: loaded only when they are asked for, with a digest of their own."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from games.registry import chapter, chapters, folders, words
from games.rules.errors import RuleError
from games.rules.files import CHAPTERS
from games.rules.loader import load
from games.rules.words import load_words
from tests.games.rules.folder import copied, spoil


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.mark.parametrize("file", ["labels.toml", "guide.toml"])
def test_folder_without_a_file_of_words_is_refused_only_for_its_words(file: str, folder: Path) -> None:
    (folder / file).unlink()
    assert load(folder) == load(folders()["687a"])
    with pytest.raises(RuleError, match=f"^{folder.name}/{file}: file: is missing$"):
        load_words(load(folder))


def test_fault_names_the_file_of_the_folder(folder: Path) -> None:
    spoil(folder, "labels.toml", "raise = ", "raze = ")
    with pytest.raises(RuleError, match=f"^{folder.name}/labels.toml: odds: unknown key `raze`; did you mean `raise`"):
        load_words(load(folder))


def test_own_words_replace_a_common_name(folder: Path) -> None:
    spoil(folder, "labels.toml", "[says]\n", '[says]\ndiscard_rack = "Rack"\n')
    assert words(chapter("687a")).labels.suggested["discard_rack"] == "Discard rack"
    assert load_words(load(folder)).labels.suggested["discard_rack"] == "Rack"


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ('"Discard rack"', "3", "names: `discard_rack` is 3"),
        ('"Discard rack"', '" Discard rack"', "names: `discard_rack` is ' Discard rack'"),
        ('"Discard rack"', '""', "names: `discard_rack` is empty"),
        ("[names]", "[[names]]", "top of the file: `names` is "),
        ('"Meter reset to"', "[]", "progressive: `progressive_reset` is []"),
        ('option = "number_of_decks"\n', "", "at_this_table 1: `option` is missing"),
        ('words = "The number of', 'says = "The number of', "at_this_table 1: `words` is missing"),
    ],
)
def test_fault_of_the_common_words_is_refused(old: str, new: str, refused: str, folder: Path) -> None:
    spoil(folder.parent, "common.toml", old, new)
    with pytest.raises(RuleError, match=f"^{re.escape(f'common.toml: {refused}')}"):
        load_words(load(folder))


def test_digest_follows_the_words_and_not_their_form(folder: Path) -> None:
    before = load_words(load(folder)).digest
    assert before == words(chapter("687a")).digest
    spoil(folder, "labels.toml", "[labels]\n", "# Comment.\n\n[labels]\n\n")
    assert load_words(load(folder)).digest == before
    spoil(folder, "labels.toml", '"Replacement Card"', '"Replacement"')
    assert load_words(load(folder)).digest != before


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("Discard rack", True),
        ("Dice shaker", False),
        ("The dealer shuffles the cards.", True),
        ("A continuous shuffler shuffles the cards.", False),
        ("Added to the meter", False),
    ],
)
def test_digest_follows_the_common_words_in_use(text: str, used: bool, folder: Path) -> None:
    spoil(folder.parent, "common.toml", f'"{text}"', '"Thing"')
    assert (load_words(load(folder)).digest != words(chapter("687a")).digest) is used


def test_rules_have_the_same_digest_with_other_words(folder: Path) -> None:
    spoil(folder.parent, "common.toml", '"Discard rack"', '"Thing"')
    (folder / "guide.toml").write_text("")
    assert load(folder).digest == chapter("687a").digest


def test_common_words_are_those_of_several_chapters() -> None:
    """Words that concern one chapter only are in its folder."""
    common = tomllib.loads((CHAPTERS / "common.toml").read_text(encoding="utf-8"))
    devices = Counter(
        element.key for rules in chapters() for element in rules.layout if element.kind in ("box", "device")
    )
    options = Counter(key for rules in chapters() for key in {option.key for option in rules.options})
    assert [name for name in common["names"] if devices[name] < 2] == []
    assert [key for key in common["progressive"] if options[key] < 2] == []
    assert [row["option"] for row in common["at_this_table"] if options[row["option"]] < 2] == []


def test_own_sentence_on_an_answer_follows_the_common_ones() -> None:
    sentences = [sentence.option for sentence in words(chapter("687a")).guide.at_this_table]
    assert sentences[0] == "automated_shuffler"
    assert sentences[-2:] == ["folded_hands_qualify", "folded_hands_qualify"]
