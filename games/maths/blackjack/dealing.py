"""One loop that deals and settles rounds of blackjack card by card, as §§ 581.7, 590.7, 591.7 and 635a.7 say.

It is one loop since a table that crosses a call costs as much as dealing several cards. The card that is discarded
after the shuffle (.7(c)) is not seen and left in the shoe. Amounts won are in halves of the required wager.
Not here: what a hand wins (`settlement`), the tables and tallies (`rounds`).
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.hands import (
    ACE,
    BLACKJACK,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FIRST,
    FREE_DOUBLE,
    HIT,
    LAMMER,
    RESCUE,
    SECOND_CHANCE,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TEN,
    TWO_CARDS,
)
from games.maths.blackjack.settlement import (
    DOUBLE_ATTACK,
    DOUBLE_BACK,
    EVEN,
    FREE_BET,
    SPANISH,
    bonus,
    bust_it_place,
    compared,
    match_place,
    natural,
    push_22_place,
)
from games.maths.compiled import kernel
from games.maths.streams import advance, below, start

DEALER = 0  # whose event it is; 1, 2 … are the player's hands
CARD, ATTACK, AT_21, ABOVE_21 = range(16, 20)  # what happened, other than the decisions of `hands`
NO_CARD = 63
WHO, WHAT = 11, 6  # bits that an event is shifted by
WON, LOST, NOT_MADE = range(3)  # an Insurance Wager, as in `side`
HALVES = 2
Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]


@kernel
def deal(
    seed: int,
    block: int,
    rounds: int,
    game: int,
    shoe: Bytes,
    most_hands: int,
    decisions: NDArray[np.int8],
    attack: NDArray[np.bool_],
    tables: tuple[NDArray[np.int16], Bytes, Bytes, Bytes, Bytes],
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    next_hand, totals, sizes, pairs, values = tables
    required, insurance, optional, events = tallies
    size, offset = len(shoe), len(required) // 2
    numbers, kinds, final_totals = np.zeros(
        (3, most_hands), np.int64
    )  # number, kind, total that awaits the dealer's (0: none)
    own, lammers, chances = np.zeros((3, most_hands), np.int64)  # the player's units, lammers, Second Chance Wagers
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(4):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, size - place)
            shoe[place], shoe[pick] = shoe[pick], shoe[place]
        # § 581.7(e), (f): the dealer's first card leads; .7(e) of the others: player, dealer, player, dealer
        first, shown = (1, 0) if game == DOUBLE_ATTACK else (0, 1)
        a, b, dealt = shoe[first], shoe[2], 4
        up, hole = values[shoe[shown]], values[shoe[3]]
        unit = 2 if game == DOUBLE_ATTACK and attack[up] else 1  # § 581.7(e)
        index, dealer = next_hand[next_hand[0, values[a]], values[b]], next_hand[next_hand[0, up], hole]
        blackjack, beaten = index == BLACKJACK, dealer == BLACKJACK
        net, wagered, open_hands, happened = 0, unit, 0, 0
        if unit == 2:
            events[1], happened = 1 << WHO | ATTACK << WHAT | NO_CARD, 1

        # §§ 581.8, 590.8, 591.8, 635a.8; § 591.7(f), (g): a Blackjack has been paid before
        if up != ACE or (game == DOUBLE_BACK and blackjack):
            insurance[NOT_MADE] += 1
        else:
            insurance[WON if beaten else LOST] += 1
        if game == SPANISH:
            optional[match_place(shoe[shown], a, b)] += 1

        hand, hands = 0, 1
        numbers[0], kinds[0], own[0], lammers[0], final_totals[0] = index, FIRST, unit, 0, 0
        if blackjack or beaten:
            net = natural(game, blackjack, beaten, unit)
            hand = hands
        while hand < hands:
            index, kind, stage = numbers[hand], kinds[hand], TWO_CARDS
            draws = sizes[index] == 1  # of a pair that was split
            while True:
                if draws:
                    state = advance(state)
                    pick = dealt + below(state, size - dealt)
                    shoe[dealt], shoe[pick] = shoe[pick], shoe[dealt]
                    index = next_hand[index, values[shoe[dealt]]]
                    events[happened + 1] = hand + 1 << WHO | CARD << WHAT | shoe[dealt]
                    dealt += 1
                    happened += 1
                decision, pair = decisions[3 * kind + stage, index, up], pairs[index]
                may_split = pair >= 0 and stage == TWO_CARDS and hands < most_hands and kind != SPLIT_ACE
                if may_split and decisions[3 * FIRST + TWO_CARDS, index, up] == SPLIT:
                    decision = SPLIT
                event = decision
                if decision == STAND and totals[index] >= 21:
                    event = AT_21 if totals[index] == 21 else ABOVE_21
                events[happened + 1] = hand + 1 << WHO | event << WHAT | NO_CARD
                happened += 1
                draws = True
                if decision == SPLIT:
                    index, free = next_hand[0, pair], game == FREE_BET and pair != TEN  # § 590.11(b)
                    aces = game == DOUBLE_ATTACK and pair == ACE  # § 581.11(e)
                    kind = SPLIT_ACE if aces else SPLIT_HAND if kind == FIRST else kind
                    kinds[hands] = LAMMER if free else kind
                    numbers[hands], own[hands], lammers[hands] = index, 0 if free else unit, 1 if free else 0
                    wagered += own[hands]
                    hands += 1
                elif decision == HIT:
                    stage = DRAWN
                elif decision == DOUBLE:
                    own[hand] += unit
                    wagered += unit
                    stage = DOUBLED
                elif decision == FREE_DOUBLE:
                    lammers[hand] += 1  # § 590.10(a)(1)
                    stage = DOUBLED
                else:
                    break
            total = totals[index]
            numbers[hand], kinds[hand], final_totals[hand], chances[hand] = index, kind, 0, 0
            if decision == SURRENDER:
                net -= own[hand]  # half of it: §§ 581.9(b), 590.9(a), 591.9(a), 635a.9(a)
            elif decision == RESCUE:
                net -= HALVES * (own[hand] - unit)  # § 635a.10(d)
            elif decision == SECOND_CHANCE:  # § 591.7(l)
                state = advance(state)
                pick = dealt + below(state, size - dealt)
                shoe[dealt], shoe[pick] = shoe[pick], shoe[dealt]
                total -= values[shoe[dealt]] + 1
                events[happened + 1] = hand + 1 << WHO | CARD << WHAT | shoe[dealt]
                dealt += 1
                happened += 1
                wagered += own[hand]
                chances[hand] = 1
                if total > 21:
                    net -= 2 * HALVES * own[hand]
                elif total == 21:
                    net += HALVES * own[hand]
                else:
                    final_totals[hand] = total
                    open_hands += 1
            elif total > 21:
                net -= HALVES * own[hand]
            elif total == 21 and game == DOUBLE_BACK:
                net += HALVES * own[hand]  # § 591.7(m)
            else:
                final_totals[hand] = total
                open_hands += 1
            hand += 1

        suits, third = 1 << (shoe[shown] & 3) | 1 << (shoe[3] & 3), dealt
        draws = game in (DOUBLE_ATTACK, FREE_BET)  # for Bust It, for Push 22; else §§ 591.7(p), 635a.7(m)
        if not beaten and (open_hands or draws):
            while totals[dealer] < 17:
                state = advance(state)
                pick = dealt + below(state, size - dealt)
                shoe[dealt], shoe[pick] = shoe[pick], shoe[dealt]
                dealer = next_hand[dealer, values[shoe[dealt]]]
                suits |= 1 << (shoe[dealt] & 3)
                events[happened + 1] = DEALER << WHO | CARD << WHAT | shoe[dealt]
                dealt += 1
                happened += 1
        dealer_total = totals[dealer]
        if game == DOUBLE_ATTACK:
            bust = dealer_total if dealt == third + 1 else 0  # with three cards
            optional[bust_it_place(bust, values[shoe[third]], shoe[shown], shoe[3], shoe[third])] += 1
        elif game == FREE_BET:
            optional[push_22_place(dealer_total, suits)] += 1

        for hand in range(hands):
            if final_totals[hand] == 0:
                continue
            result = compared(game, final_totals[hand], dealer_total, sizes[numbers[hand]])
            if result > 0:
                won = EVEN
                if game == SPANISH and kinds[hand] == FIRST and own[hand] == unit:
                    won = bonus(
                        final_totals[hand], sizes[numbers[hand]], a, b, shoe[4]
                    )  # § 635a.12(c) is in dollars: apart
                net += won * own[hand] + EVEN * lammers[hand]
            elif result < 0:
                net -= HALVES * own[hand] * (1 + chances[hand])
        required[net + offset, wagered] += 1
        events[0] = happened
