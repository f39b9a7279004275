"""One loop that deals and settles rounds of blackjack card by card, as procedures say.

It is one loop since a table that crosses a call costs as much as dealing several cards. The card that is discarded
after the shuffle is not seen and left in the shoe. Amounts won are in halves of the required wager.
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
    EVEN,
    DealtRules,
    bonus_place,
    compared,
    dealer_22_place,
    match_place,
    natural,
    third_card_place,
)
from games.maths.blackjack.side_wagers import DEALER_22, MATCH, THIRD_CARD
from games.maths.compiled import kernel
from games.maths.streams import advance, below, start

DEALER = 0  # whose event it is; 1, 2 … are the player's hands
CARD, ATTACK, AT_21, ABOVE_21, ENOUGH_CARDS = range(16, 21)  # what happened, other than the decisions of `hands`
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
    rules: DealtRules,
    paid: Ints,
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
        # player, dealer, player, dealer, if the dealer's first card does not lead
        first, shown = (1, 0) if rules.up_card_first else (0, 1)
        a, b, dealt = shoe[first], shoe[2], 4
        up, hole = values[shoe[shown]], values[shoe[3]]
        unit = 2 if rules.attack and attack[up] else 1
        index, dealer = next_hand[next_hand[0, values[a]], values[b]], next_hand[next_hand[0, up], hole]
        blackjack, beaten = index == BLACKJACK, dealer == BLACKJACK
        net, wagered, open_hands, happened = 0, unit, 0, 0
        if unit == 2:
            events[1], happened = 1 << WHO | ATTACK << WHAT | NO_CARD, 1

        if up != ACE or (blackjack and not rules.blackjack_insures):  # a Blackjack may have been paid before
            insurance[NOT_MADE] += 1
        else:
            insurance[WON if beaten else LOST] += 1
        if rules.side == MATCH:
            optional[match_place(shoe[shown], a, b)] += 1

        hand, hands = 0, 1
        numbers[0], kinds[0], own[0], lammers[0], final_totals[0] = index, FIRST, unit, 0, 0
        if blackjack or beaten:
            net = natural(blackjack, beaten, rules.blackjack_pays, rules.blackjack_beats_blackjack, unit)
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
                enough = rules.winning_cards > 0 and sizes[index] >= rules.winning_cards and totals[index] <= 21
                if enough:
                    decision = STAND
                event = decision
                if enough:
                    event = ENOUGH_CARDS
                elif decision == STAND and totals[index] >= 21:
                    event = AT_21 if totals[index] == 21 else ABOVE_21
                events[happened + 1] = hand + 1 << WHO | event << WHAT | NO_CARD
                happened += 1
                draws = True
                if decision == SPLIT:
                    index, free = next_hand[0, pair], rules.free_bets and pair != TEN
                    aces = rules.one_card_aces and pair == ACE
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
                    lammers[hand] += 1
                    stage = DOUBLED
                else:
                    break
            total = totals[index]
            numbers[hand], kinds[hand], final_totals[hand], chances[hand] = index, kind, 0, 0
            if decision == SURRENDER:
                net -= own[hand]  # half of it
            elif decision == RESCUE:
                net -= HALVES * (own[hand] - unit)
            elif decision == SECOND_CHANCE:
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
            elif enough or (total == 21 and rules.pays_21_at_once):
                net += EVEN * (own[hand] + lammers[hand])
            else:
                final_totals[hand] = total
                open_hands += 1
            hand += 1

        suits, third = 1 << (shoe[shown] & 3) | 1 << (shoe[3] & 3), dealt
        draws = rules.side in (THIRD_CARD, DEALER_22)  # for that wager; else only against a hand
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
        if rules.side == THIRD_CARD:
            bust = dealer_total if dealt == third + 1 else 0  # with three cards
            optional[third_card_place(bust, values[shoe[third]], shoe[shown], shoe[3], shoe[third])] += 1
        elif rules.side == DEALER_22:
            optional[dealer_22_place(dealer_total, suits)] += 1

        for hand in range(hands):
            if final_totals[hand] == 0:
                continue
            cards = sizes[numbers[hand]]
            result = compared(final_totals[hand], dealer_total, cards, rules.pushes_22, rules.beats_21)
            if result > 0:
                won = EVEN
                if rules.bonuses and kinds[hand] == FIRST and own[hand] == unit:
                    won = paid[bonus_place(final_totals[hand], cards, a, b, shoe[4])]  # payouts in dollars: apart
                net += won * own[hand] + EVEN * lammers[hand]
            elif result < 0:
                net -= HALVES * own[hand] * (1 + chances[hand])
        required[net + offset, wagered] += 1
        events[0] = happened
