"""The text cut into sentences: where one ends, what a list, a table, a heading and a bracket are."""

from __future__ import annotations

import pytest

from games.rules.sections import PrintedSentence, ends_of_sentences, split_sentences

TEXT = """# Chapter 1a. Game

A remark above the first section.

## § 1a.1. Definitions.

The words have these meanings:

Bet—A wager.

## § 1a.2. Odds.

- (a) The dealer shall:

  - (1) Deal. The dealer may wait.

  - (2) Pay as follows:

    **Paytable 1**

    | Hand | Pays |
    | --- | --- |
    | Flush | 2 to 1 |

    | Hand | Envy |
    | --- | --- |
    | Flush | $5 |

- (b) [Text not in the sources.]

- (b) [printed twice] The second label.

  - (i) *Payouts*. Payouts are made.
"""


def shown(sentence: PrintedSentence) -> tuple[str, int, str, str]:
    return (sentence.citation, sentence.ordinal, sentence.form, sentence.text)


def test_text_is_cut_into_sentences_with_citation_and_number() -> None:
    assert list(map(shown, split_sentences(TEXT))) == [
        ("§ 1a.1", 1, "heading", "§ 1a.1. Definitions."),
        ("§ 1a.1", 2, "introduction", "The words have these meanings:"),
        ("§ 1a.1", 3, "sentence", "Bet—A wager."),
        ("§ 1a.2", 1, "heading", "§ 1a.2. Odds."),
        ("§ 1a.2(a)", 1, "introduction", "The dealer shall:"),
        ("§ 1a.2(a)(1)", 1, "sentence", "Deal."),
        ("§ 1a.2(a)(1)", 2, "sentence", "The dealer may wait."),
        ("§ 1a.2(a)(2)", 1, "introduction", "Pay as follows:"),
        ("§ 1a.2(a)(2)", 2, "heading", "**Paytable 1**"),
        ("§ 1a.2(a)(2)", 3, "heading", "Hand | Pays"),
        ("§ 1a.2(a)(2)", 4, "row", "Flush | 2 to 1"),
        ("§ 1a.2(a)(2)", 5, "heading", "Hand | Envy"),
        ("§ 1a.2(a)(2)", 6, "row", "Flush | $5"),
        ("§ 1a.2(b)", 1, "added", "[Text not in the sources.]"),
        ("§ 1a.2(b)[2]", 1, "sentence", "[printed twice] The second label."),
        ("§ 1a.2(b)[2](i)", 1, "heading", "*Payouts*."),
        ("§ 1a.2(b)[2](i)", 2, "sentence", "Payouts are made."),
    ]


@pytest.mark.parametrize(
    ("paragraph", "parts"),
    [
        ("As permitted under § 581.11. (relating to pairs), stand.", 1),
        ("Reshuffle in accordance with § 581.5. The dealer shall pay.", 2),
        ("Between 2 p.m. Eastern Time and midnight. Then close.", 2),
        ("See No. 5 and No. VI of the list.", 1),
        ('The dealer shall announce "no more bets." After that, deal.', 2),
        ("A deck (for example, queen, king and ace). All suits are equal.", 2),
        ("Odds of 1.5 to 1. 2s are low.", 1),  # a number begins no sentence: "No. 2", "§ 1. 2"
    ],
)
def test_sentence_ends_at_a_full_stop_that_is_one(paragraph: str, parts: int) -> None:
    cut = ends_of_sentences(paragraph)
    assert len(cut) == parts
    assert " ".join(cut) == paragraph
