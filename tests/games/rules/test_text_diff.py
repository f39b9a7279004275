"""The word diff: nothing is lost, nothing is added, and a changed word is marked alone."""

from hypothesis import given
from hypothesis import strategies as st

from games.rules.differences import TextPart, text_diff

TEXTS = st.text(alphabet="ab \n", max_size=30)


def test_changed_word_is_deleted_and_inserted() -> None:
    assert text_diff("The odds are 6 to 1.", "The odds are 5 to 1.") == (
        TextPart("same", "The odds are "),
        TextPart("deleted", "6"),
        TextPart("inserted", "5"),
        TextPart("same", " to 1."),
    )


def test_new_and_removed_texts_are_one_part() -> None:
    assert text_diff("", "A rule.") == (TextPart("inserted", "A rule."),)
    assert text_diff("A rule.", "") == (TextPart("deleted", "A rule."),)
    assert text_diff("", "") == ()


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_the_parts(before: str, after: str) -> None:
    parts = text_diff(before, after)
    assert "".join(part.words for part in parts if part.change != "inserted") == before
    assert "".join(part.words for part in parts if part.change != "deleted") == after
