"""Kuhn poker: three cards and one bet, the smallest bluffing game.

Both players ante a chip and are dealt a jack, a queen or a king. In
turn, they bet another chip or pass. A player who passes after a bet
folds. Otherwise the higher card wins. With perfect play of both
players, the first player loses one chip in eighteen hands on average.

    tabletop play examples/kuhn_poker.py --bot 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from tabletop import (
    ALL,
    NOBODY,
    ActionPlayed,
    Event,
    Match,
    Options,
    Outcome,
    Plugin,
    Random,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    Watcher,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.states import PER_SEAT, Length, OneOf

HIDDEN, JACK, QUEEN, KING = range(4)
NAMES = ("?", "jack", "queen", "king")
PASS, BET = ACTIONS = ("pass", "bet")
Card = Annotated[int, OneOf((JACK, QUEEN, KING))]
Bid = Annotated[str, OneOf(ACTIONS)]


def sees(state: Hand, seat: Seat | None, owner: Seat) -> bool:
    """Check whether a seat sees a card: its own, or all at the end."""
    return seat == owner or is_called(state)


def is_called(state: Hand) -> bool:
    return state.bids[-2:] in ([PASS, PASS], [BET, BET])


@state
class Hand(State):
    """The cards of both seats, the third card, and the bids."""

    cards: Annotated[list[Card], PER_SEAT] = secret(
        to=sees, back=HIDDEN
    )
    left: Card = secret(to=NOBODY, back=HIDDEN)
    bids: Annotated[list[Bid], Length(3)]

    def __str__(self) -> str:
        bids = ", ".join(self.bids) or "nothing"
        cards = " and ".join(NAMES[card] for card in self.cards)
        return f"cards: {cards}; bid: {bids}"


class KuhnPoker(SecretGame[Hand, str]):
    """Points are chips won or lost: 1, or 2 after a called bet."""

    name = "kuhn-poker"
    title = "Kuhn poker"
    point_range = (-2, 2)

    def setup(self, options: Options, seats: int, rng: Streams) -> Hand:
        first, second, left = rng["deck"].sample((JACK, QUEEN, KING), 3)
        return Hand([first, second], left, [])

    def to_act(self, state: Hand) -> Sequence[Seat]:
        is_over = is_called(state) or state.bids[-2:] == [BET, PASS]
        return () if is_over else (len(state.bids) % 2,)

    def legal_actions(self, state: Hand, seat: Seat) -> Sequence[str]:
        return ACTIONS

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[str]:
        return ACTIONS

    def apply(self, state: Hand, action: str, table: Table) -> None:
        state.bids.append(action)

    def outcome(self, state: Hand) -> Outcome | None:
        if self.to_act(state):
            return None
        if not is_called(state):
            winner = (
                len(state.bids) % 2
            )  # the other player has just folded
            return points(winner, 1, "a bet was not called")
        winner = int(state.cards[1] > state.cards[0])
        return points(
            winner,
            1 + (state.bids[-1] == BET),
            f"a {NAMES[max(state.cards)]}",
        )


def points(winner: Seat, chips: int, reason: str) -> Outcome:
    return Outcome.by_score(
        [chips if seat == winner else -chips for seat in (0, 1)], reason
    )


VERBS = {"bet": "bets", "pass": "passes"}


class HandText(TextView[Hand]):
    """The visible card of each player, and the bids."""

    verbs = VERBS

    def position(
        self, view: Hand, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        cards = zip(names, view.cards, strict=True)
        rows = [f"{name}: {NAMES[card]}" for name, card in cards]
        return "\n".join([*rows, f"bid: {', '.join(view.bids) or '-'}"])


class Cards:
    """The card of each player."""

    def __init__(self, match: Match[Hand, str]) -> None:
        self._cards = match.state.cards

    def value(self) -> tuple[Mapping[str, int], ...]:
        return tuple({NAMES[card]: 1} for card in self._cards)


def bets(events: Sequence[Event]) -> int:
    """Return the number of bets in the hand, 0 to 2."""
    return sum(
        isinstance(event, ActionPlayed) and event.action == BET
        for event in events
    )


GAME = KuhnPoker()
PLUGIN = Plugin(
    GAME,
    text=HandText(),
    rulebook=__doc__,
    summary="Poker with three cards and one bet.",
    minutes=1,
    levels={
        "fair": "search:1000"
    },  # more iterations do not play better
    metrics={"cards": Cards, "bets": bets},
)


def main() -> None:
    for number in range(4):
        match = Match(
            GAME, seed=number, players=(Random("one"), Random("other"))
        )
        outcome = match.run()
        print(f"{match.state}: {outcome.points if outcome else ''}")


if __name__ == "__main__":
    main()
