"""A game with hidden hands of one card.

tabletop play examples/vacant_chair.py --bot 2=schemer
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from tabletop import (
    ALL,
    NOBODY,
    ActionPlayed,
    Event,
    Known,
    Match,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.parts.cards import deal, deck_of
from tabletop.rules import from_seat
from tabletop.states import BAG, PER_SEAT, Length, OneOf

NAMES = ("a card", "scribe", "page", "fencer", "abbot", "warden", "envoy", "widow", "heir")
HIDDEN, SCRIBE, PAGE, FENCER, ABBOT, WARDEN, ENVOY, WIDOW, HEIR = range(9)
DECK = deck_of({SCRIBE: 5, PAGE: 2, FENCER: 2, ABBOT: 2, WARDEN: 2, ENVOY: 1, WIDOW: 1, HEIR: 1})
Role = Annotated[int, OneOf(range(SCRIBE, HEIR + 1))]
SEEN = {PAGE: 1, FENCER: 2, ENVOY: 2}  # how many of the two hands are seen


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card, with a target if it has one, and a guess for a scribe."""

    card: int
    target: Seat | None = None
    guess: int | None = None

    def __str__(self) -> str:
        at = "" if self.target is None else f" {self.target + 1}"
        return f"{NAMES[self.card]}{at}{'' if self.guess is None else f' {NAMES[self.guess]}'}"


def is_told(state: Court, seat: Seat | None, event: Seen) -> bool:
    return event.seat is None or seat in {event.seat, event.target}


@event
class Seen(Event):
    """`seat` draws a card, or sees the card of `target`. Without `seat`, the card is laid down."""

    seat: Seat | None
    target: Seat
    card: int = secret(to=is_told, back=HIDDEN)


def is_over(state: Court) -> bool:
    return len(state.hands[state.seat]) < 2 or sum(map(bool, state.hands)) == 1


def sees_hand(state: Court, seat: Seat | None, owner: Seat) -> bool:
    return seat == owner or is_over(state)


@state
class Court(State):
    """The cards. A seat that is out holds none. `known` contains the cards that seats have seen."""

    deck: Annotated[list[Role], Length(len(DECK)), BAG] = secret(to=NOBODY, back=HIDDEN)
    hands: Annotated[list[Annotated[list[Role], Length(2), BAG]], PER_SEAT] = secret(
        to=sees_hand, back=HIDDEN, known="known"
    )
    known: Known[int]
    laid: Annotated[list[Role], Length(len(DECK)), BAG]
    safe: Annotated[list[bool], PER_SEAT]
    seat: Seat = 0


class VacantChair(SecretGame[Court, Play]):
    """The last player in the game wins, or else the highest card."""

    name = "vacant-chair"
    title = "The vacant chair"
    seats = range(2, 5)

    def setup(self, options: Options, seats: int, rng: Streams) -> Court:
        deck = rng["deck"].sample(DECK, len(DECK))
        hands = deal(deck, seats, 1)
        hands[0].append(deck.pop())
        return Court(deck, hands, Known(), [], [False] * seats)

    def to_act(self, state: Court) -> Sequence[Seat]:
        return () if is_over(state) else (state.seat,)

    def legal_actions(self, state: Court, seat: Seat) -> Sequence[Play]:
        hand = set(state.hands[seat])
        if WIDOW in hand and hand & {WARDEN, ENVOY}:
            return [Play(WIDOW)]
        exposed = [it for it, held in enumerate(state.hands) if held and not state.safe[it]]
        actions: list[Play] = []
        for card in sorted(hand):
            aimed = exposed if card not in {ABBOT, WIDOW, HEIR} else []
            targets = [other for other in aimed if other != seat or card == WARDEN]
            guesses = range(PAGE, HEIR + 1) if card == SCRIBE else (None,)
            ways = [Play(card, target, guess) for target in targets for guess in guesses]
            actions += ways or [Play(card)]
        return actions

    def all_actions(self, options: Options, seats: int) -> Sequence[Play]:
        every = [Play(card) for card in range(SCRIBE, HEIR + 1)]
        for target in range(seats):
            every += [Play(SCRIBE, target, guess) for guess in range(PAGE, HEIR + 1)]
            every += [Play(card, target) for card in (PAGE, FENCER, WARDEN, ENVOY)]
        return every

    def apply(self, state: Court, action: Play, table: Table) -> None:
        seat, target, hands = state.seat, action.target, state.hands
        lay_down(state, seat, action.card)
        if action.card == HEIR:
            lose_card(state, seat, table)
        elif action.card == ABBOT:
            state.safe[seat] = True
        elif target is not None:
            aim(state, action, target, table)
        state.seat = next(it for it in from_seat(seat + 1, len(hands)) if hands[it])
        if len(state.deck) > 1 and state.seat != seat:
            state.safe[state.seat] = False
            draw(state, state.seat, table)

    def outcome(self, state: Court) -> Outcome | None:
        if not is_over(state):
            return None
        return Outcome.by_score([max(hand, default=0) for hand in state.hands])


def draw(state: Court, seat: Seat, table: Table) -> None:
    state.hands[seat].append(state.deck.pop())
    table.emit(Seen(seat, seat, state.hands[seat][-1]))


def lay_down(state: Court, seat: Seat, card: int) -> None:
    state.hands[seat].remove(card)
    state.laid.append(card)
    state.known.forget(card, seat)


def lose_card(state: Court, seat: Seat, table: Table, *, draws: bool = False) -> None:
    card = state.hands[seat][0]
    lay_down(state, seat, card)
    table.emit(Seen(None, seat, card))
    if draws and card != HEIR:
        draw(state, seat, table)


def aim(state: Court, action: Play, target: Seat, table: Table) -> None:
    seat, hands, known = state.seat, state.hands, state.known
    if action.card == ENVOY:
        hands[seat], hands[target] = hands[target], hands[seat]
        now_at: dict[Seat | None, Seat] = {seat: target, target: seat}
        known.shown = [replace(it, owner=now_at.get(it.owner, it.owner)) for it in known.shown]
    for watcher, seen in ((seat, target), (target, seat))[: SEEN.get(action.card, 0)]:
        known.show_all(watcher, hands[seen], seen)
        table.emit(Seen(watcher, seen, hands[seen][0]))
    if action.card == WARDEN:
        lose_card(state, target, table, draws=True)
    elif action.card == SCRIBE and action.guess == hands[target][0]:
        lose_card(state, target, table)
    elif action.card == FENCER and hands[seat] != hands[target]:
        lose_card(state, seat if hands[seat] < hands[target] else target, table)


class ChairText(TextView[Court]):
    """The visible cards as text."""

    def position(self, view: Court, names: Sequence[str], seat: Watcher = ALL) -> str:
        rows = {
            names[place] + " (safe)" * view.safe[place]: hand
            for place, hand in enumerate(view.hands)
        }
        rows |= {f"deck of {len(view.deck)}, on the table": view.laid}
        return "\n".join(
            f"{name}: {', '.join(NAMES[card] for card in cards) or '-'}"
            for name, cards in rows.items()
        )

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, ActionPlayed) and isinstance(event.action, Play):
            card, target, guess = event.action.card, event.action.target, event.action.guess
            at = "" if target is None else f" at {names[target]}"
            named = "" if guess is None else f", naming the {NAMES[guess]}"
            return f"{names[event.seat]} plays the {NAMES[card]}{at}{named}."
        if isinstance(event, Seen):
            verb = "draws" if event.seat == event.target else "shows"
            return f"{names[event.target]} {verb} {NAMES[event.card]}."
        return super().event(event, names, seat)


class Schemer:
    """Guesses cards that it has seen, and otherwise plays its lower card."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Court, actions: Sequence[Play]) -> Play:
        known = view.known
        sure = [play for play in actions if play.guess in known.cards(view.seat, play.target)]
        lower = [play for play in actions if play.card == actions[0].card]
        return self.stream.choice(sure or lower)


GAME = VacantChair()
PLUGIN = Plugin(
    GAME,
    text=ChairText(),
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Find out what the others hold, and stay in the round.",
    minutes=5,
    bots={"schemer": Schemer},
    levels={"easy": "search:1", "hard": "search:10000"},
)


def main() -> None:
    bots = [Schemer(Streams("chair")[seat]) for seat in range(3)]
    match = Match(GAME, seed="old oak", seats=("Ann", "Bo", "Cid"), players=bots)
    match.observe(lambda event: print(PLUGIN.text.event(event, match.names, 0)), seat=0)
    match.run()


if __name__ == "__main__":
    main()
