"""Lunar Poker in plain Python: combinations by trying all sets of cards, decisions by the lines in words, settlement.

Shares nothing with the compiled mathematics but the words of the strategy and the numbers of the ways to end.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from games.maths import hands
from games.maths.exchange import payouts, required, rules, strategy
from tests.games.maths.slow_hands import worth

A, K, T = 14, 13, 10
UP, NEW = 9, 10  # places in the deck: the dealer's up card, the first card drawn


def ranks(hand):
    return ["23456789TJQKA".index(card[0]) + 2 for card in hand]


def combos(hand):
    """Every combination of the paytable in the hand, as (place, its cards), by trying sets of cards."""
    found = []
    for size in (2, 3, 4, 5):
        for chosen in combinations(hand, size):
            kinds = sorted((ranks(chosen).count(rank) for rank in set(ranks(chosen))), reverse=True)
            name = {(2,): 2, (2, 2): 3, (3,): 4, (4,): 8, (3, 2): 7}.get(tuple(kinds), 0)
            if size == 2 and sorted(ranks(chosen)) == [K, A]:
                name = 1
            if size == 5:
                name = {4: 5, 5: 6, 8: 9, 9: 10}.get(worth(list(chosen), hands.STANDARD)[0], name)
            if name:
                found.append((name, set(chosen)))
    return found


def first_and_second(hand):
    found = combos(hand)
    best = max(combinations(hand, 5), key=lambda five: worth(list(five), hands.STANDARD))
    first, in_first = max(combos(list(best)), key=lambda one: one[0], default=(0, set()))
    return first, max((name for name, chosen in found if chosen - in_first and name <= first), default=0)


def straights_short(hand):
    line = set(ranks(hand)) | ({1} if A in ranks(hand) else set())
    return sum(len(set(range(low, low + 5)) - line) == 1 for low in range(1, 11))


def suited(hand):
    """The cards of the longest suit."""
    return max(([card for card in hand if card[1] == suit] for suit in "cdhs"), key=len)


def look(hand, up):
    """What the lines of the table ask about."""
    own, kind = ranks(hand), worth(hand, hands.STANDARD)
    of_suit = sorted(ranks(suited(hand))) if len(suited(hand)) == 3 else []
    top = sorted(hand, key=lambda card: ranks([card])[0])[-2:]
    return {
        "name": hands.STANDARD[kind[0]],
        "kind": kind[1][0],
        "up": ranks([up])[0],
        "matched": ranks([up])[0] in own,
        "ace_king": A in own and K in own,
        "high": A in own or K in own,
        "ace": A in own,
        "of_suit": of_suit,
        "top_suited": top[0][1] == top[1][1] and min(ranks(top)) >= T,
        "short": straights_short(hand),
        "four_suited": len(suited(hand)) == 4,
    }


def pair(see):
    return see["name"] == hands.PAIR


LINES = (
    lambda see: see["name"] in (hands.ROYAL_FLUSH, hands.STRAIGHT_FLUSH),
    lambda see: see["name"] == hands.FOUR,
    lambda see: see["name"] == hands.FULL_HOUSE and see["matched"],
    lambda see: see["name"] == hands.FULL_HOUSE,
    lambda see: see["name"] in (hands.FLUSH, hands.STRAIGHT),
    lambda see: see["name"] == hands.THREE and see["up"] == see["kind"],
    lambda see: see["name"] == hands.THREE and see["ace_king"],
    lambda see: see["name"] == hands.THREE,
    lambda see: see["name"] == hands.TWO_PAIRS,
    lambda see: see["four_suited"],
    lambda see: see["short"] >= 2,
    lambda see: pair(see) and see["short"] == 1,
    lambda see: pair(see) and see["up"] <= see["kind"],
    lambda see: pair(see) and see["matched"] and see["kind"] >= 11,
    lambda see: pair(see) and see["matched"] and 8 <= see["kind"] <= 10 and see["up"] <= 12,
    lambda see: pair(see) and see["matched"] and see["ace_king"],
    lambda see: pair(see) and see["kind"] >= 4 and see["ace_king"],
    lambda see: pair(see) and see["ace_king"],
    lambda see: pair(see) and see["kind"] in (10, 11) and see["high"] and not see["matched"] and see["up"] <= 12,
    pair,
    lambda see: see["ace_king"] and see["short"] == 1 and see["up"] >= K,
    lambda see: see["ace_king"] and see["of_suit"][-2:] == [K, A] and see["of_suit"][0] >= T,
    lambda see: see["ace_king"],
    lambda see: see["of_suit"] and see["of_suit"][0] >= T,
    lambda see: not see["ace"] and see["of_suit"] and see["of_suit"][2] - see["of_suit"][0] == 2,
    lambda see: not see["ace"] and see["of_suit"] and see["of_suit"][2] == K and see["of_suit"][0] >= 9,
    lambda see: not see["high"] and see["of_suit"] and see["of_suit"][2] - see["of_suit"][0] == 3 and see["up"] <= 7,
    lambda see: see["top_suited"] and see["up"] <= 10,
    lambda see: True,
)
"""The hand and up card of each line of `words.FIRST`, asked of `look`."""


def kept_by(decision, hand):
    """The cards that the words keep."""
    by_rank = sorted(hand, key=lambda card: ranks([card])[0])
    if decision == "Exchange all but ace and king":
        return set(by_rank[-2:])
    if alike := {card for card in hand if ranks(hand).count(ranks([card])[0]) > 1}:
        return alike
    return set(by_rank[-2:]) if decision == "Exchange the other three" else set(suited(hand))


def by_words(hand, up):
    """(decision, cards kept) by the first line that fits."""
    see = look(hand, up)
    line = next(line for line, fits in zip(required.FIRST_DECISIONS, LINES, strict=True) if fits(see))
    if line[2] in (required.BET_CHOICE, required.SIXTH_CHOICE, required.INSTANT_CHOICE):
        return line[2], set(hand)
    if line[0] != "Anything else":
        return required.EXCHANGE_CHOICE, kept_by(line[2], hand)
    highest = max(hand, key=lambda card: ranks([card])[0])
    keeps = up[0] in strategy.HIGHEST_CARD.get(highest[0], ("", ""))[see["matched"]]
    return (required.EXCHANGE_CHOICE, {highest}) if keeps else (required.FOLD_CHOICE, set(hand))


def settle(deck, odds):
    """The way in which the round ends that lies in front of the deck, where combinations pay `odds` to 1."""
    own, dealer, up = deck[:5], deck[5:NEW], deck[UP]
    decision, kept = by_words(own, up)
    if decision in (required.FOLD_CHOICE, required.INSTANT_CHOICE):
        return rules.FOLDED if decision == required.FOLD_CHOICE else rules.INSTANT
    new = {required.BET_CHOICE: 0, required.SIXTH_CHOICE: 1}.get(decision, 5 - len(kept))
    hand = [card for card in own if card in kept] + deck[NEW : NEW + new]
    drawn = payouts.AFTER_DRAW if new else 0
    first, second = first_and_second(hand)
    value = max(worth(list(five), hands.STANDARD) for five in combinations(hand, 5))
    seen = sum(card[0] == up[0] for card in own + deck[NEW : NEW + new])
    if new and not bets(first, hand, up, seen):
        return rules.FOLDED_AFTER_DRAW
    if qualifies(dealer):
        return drawn + compare(value, dealer, rules.NOT_QUALIFIED)
    left = deck[NEW + new :]
    lower = sorted(dealer, key=lambda card: ranks([card])[0])[:-1]
    tries = [[*lower, card] for card in left if qualifies([*lower, card])]
    wins = sum(worth(tried, hands.STANDARD) < value for tried in tries)
    losses = sum(worth(tried, hands.STANDARD) > value for tried in tries)
    in_all = odds[first] + odds[second]
    if in_all < 4 or Fraction(2 * in_all * wins - 3 * losses, len(left)) - 1 < 1:
        return drawn + rules.NOT_QUALIFIED
    forced = [*lower, left[0]]
    if not qualifies(forced):
        return drawn + rules.FORCED_NOT_QUALIFIED
    return drawn + compare(value, forced, rules.FORCED_NOT_QUALIFIED)


def bets(first, hand, up, seen):
    low_up = up[0] not in "AK"
    if first >= 2:
        return first > 2 or sorted(ranks(hand))[:2] != [2, 2] or seen > 0 or not low_up
    if first == 1:
        return seen > 0 if low_up else "Q" in "".join(hand) or "J" in "".join(hand)
    return seen > 1 and low_up


def qualifies(hand):
    return worth(hand, hands.STANDARD)[0] > 0 or {A, K} <= set(ranks(hand))


def compare(value, dealer, base):
    theirs = worth(dealer, hands.STANDARD)
    return base + (3 if value > theirs else 1 if value == theirs else 2)
