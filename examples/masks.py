"""Secrets: hidden hands, a card that only one seat may look at, and a public guess.

Each player holds one card. On your turn, you draw a second card and play one of the two, face up. A
watchman names a player and a card: if the player holds that card, the player is out. A spy looks at
the card of another player. All other cards only count at the end. The last player in the game wins.
If the deck runs out, the player with the highest card wins.

    tabletop play examples/masks.py --bot 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    Random,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.parts.cards import CardsDrawn, draw_for
from tabletop.rules import from_seat
from tabletop.states import BAG, PER_SEAT, Length, OneOf

NAMES = ("hidden", "watchman", "spy", "jester", "knight", "queen")
HIDDEN, WATCHMAN, SPY = 0, 1, 2
Role = Annotated[int, OneOf(range(1, 6))]
DECK = (WATCHMAN,) * 5 + (SPY,) * 4 + (3, 3, 4, 4, 5)


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card: a watchman with a target and a guess, a spy with a target."""

    card: int
    target: Seat | None = None
    guess: int | None = None

    def __str__(self) -> str:
        words = [NAMES[self.card]]
        words += [] if self.target is None else [str(self.target + 1)]
        words += [] if self.guess is None else [NAMES[self.guess]]
        return " ".join(words)


def was_there(state: Court, seat: Seat | None, event: HandSeen) -> bool:
    """Check whether a seat is the spy or the target of the spy."""
    return seat in (event.seat, event.target)


@event
class HandSeen(Event):
    """A spy has seen the card of `target`. For all other seats, the card is `HIDDEN`."""

    seat: Seat
    target: Seat
    card: int = secret(to=was_there, back=HIDDEN)


@event
class Guessed(Event):
    """A watchman has named a card in public."""

    seat: Seat
    target: Seat
    card: int
    right: bool


def is_over(state: Court) -> bool:
    """Check whether only one seat is left, or the deck has run out."""
    return len(state.hands[state.seat]) < 2 or sum(map(bool, state.hands)) == 1


def sees_hand(state: Court, seat: Seat | None, owner: Seat) -> bool:
    """Check whether a seat sees a hand: its own, or every hand at the end of the game."""
    return seat == owner or is_over(state)


@state
class Court(State):
    """The cards and the seat to act. The last card of the deck is drawn next.

    The hand of a seat that is out is empty. `known` contains the cards that spies have seen. They
    are part of the view of the spy, and they stay in place when the spy samples states.
    """

    deck: Annotated[list[Role], Length(len(DECK)), BAG] = secret(to=NOBODY, back=HIDDEN)
    hands: Annotated[list[Annotated[list[Role], Length(2), BAG]], PER_SEAT] = secret(
        to=sees_hand, back=HIDDEN, known="known"
    )
    known: Known[int]
    played: Annotated[list[Role], Length(len(DECK)), BAG]
    seat: Seat


class Masks(SecretGame[Court, Play]):
    """The last player in the court wins, or else the highest card."""

    name = "masks"
    title = "Masks"
    seats = range(2, 5)

    def setup(self, options: Options, seats: int, rng: Streams) -> Court:
        deck = list(DECK)
        rng["deck"].shuffle(deck)
        hands = [[deck.pop()] for _ in range(seats)]
        hands[0].append(deck.pop())
        return Court(deck, hands, Known(), [], 0)

    def to_act(self, state: Court) -> Sequence[Seat]:
        return () if is_over(state) else (state.seat,)

    def legal_actions(self, state: Court, seat: Seat) -> Sequence[Play]:
        others = [other for other, hand in enumerate(state.hands) if hand and other != seat]
        actions: list[Play] = []
        for card in sorted(set(state.hands[seat])):
            if card == WATCHMAN:
                guesses = range(SPY, len(NAMES))
                actions += [Play(card, other, guess) for other in others for guess in guesses]
            elif card == SPY:
                actions += [Play(card, other) for other in others]
            else:
                actions.append(Play(card))
        return actions

    def all_actions(self, options: Options, seats: int) -> Sequence[Play]:
        others = range(seats)
        actions = [Play(WATCHMAN, at, guess) for at in others for guess in range(SPY, len(NAMES))]
        actions += [Play(SPY, other) for other in others]
        return [*actions, *(Play(card) for card in range(WATCHMAN, len(NAMES)))]

    def apply(self, state: Court, action: Play, table: Table) -> None:
        seat, target = state.seat, action.target
        lay_down(state, seat, action.card)
        if target is not None and action.guess is not None:
            right = action.guess in state.hands[target]
            table.emit(Guessed(seat, target, action.guess, right))
            if right:
                lay_down(state, target, action.guess)
        elif target is not None:
            state.known.show_all(seat, state.hands[target], target)
            table.emit(HandSeen(seat, target, state.hands[target][0]))
        state.seat = next(
            other for other in from_seat(seat + 1, len(state.hands)) if state.hands[other]
        )
        if state.deck and state.seat != seat:
            state.hands[state.seat] += draw_for(state.seat, state.deck, 1, table)

    def outcome(self, state: Court) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score([max(hand, default=0) for hand in state.hands])


def lay_down(state: Court, seat: Seat, card: int) -> None:
    """Move a card from a hand to the played cards. A seat without cards is out."""
    state.hands[seat].remove(card)
    state.played.append(card)
    state.known.forget(card, seat)


class MasksText(TextView[Court]):
    """The visible cards as text."""

    def position(self, view: Court, names: Sequence[str], seat: Watcher = ALL) -> str:
        hands = [
            f"{'you' if seat == other else names[other]}: {spell(hand) or 'out'}"
            for other, hand in enumerate(view.hands)
        ]
        return "\n".join([*hands, f"played: {spell(view.played)}", f"deck: {len(view.deck)}"])

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        match event:
            case ActionPlayed(seat=player, action=Play(card, target, guess)):
                at = "" if target is None else f" at {names[target]}"
                named = "" if guess is None else f", naming the {NAMES[guess]}"
                return f"{names[player]} plays the {NAMES[card]}{at}{named}."
            case CardsDrawn(drawer, (int(card),)):
                return f"{names[drawer]} draws {NAMES[card]}."
            case CardsDrawn(drawer):
                return f"{names[drawer]} draws a card."
            case HandSeen(spy, target, card):
                seen = "" if card == HIDDEN else f": {NAMES[card]}"
                return f"{names[spy]} looks at the card of {names[target]}{seen}."
            case Guessed(right=right):
                return f"{names[event.target]} is {'out' if right else 'not'}."
        return super().event(event, names, seat)


def spell(cards: Sequence[int]) -> str:
    return ", ".join(NAMES[card] for card in cards)


GAME = Masks()
PLUGIN = Plugin(
    GAME, text=MasksText(), levels={"easy": "search:3", "fair": "search:50", "hard": "search:20000"}
)


def main() -> None:
    """Print one match as two seats and a spectator see it."""
    names = ("Ann", "Bo", "Cid")
    match = Match(GAME, seed="new moon", seats=names)
    for seat in range(3):
        match.set_player(seat, Random(f"masks {seat}"))
    received: dict[Seat | None, list[Event]] = {0: [], 1: [], None: []}
    for watcher, events in received.items():
        match.observe(events.append, seat=watcher)
    match.run()
    for watcher, events in received.items():
        print(f"As {'a spectator' if watcher is None else names[watcher]} sees it:")
        print(*(f"  {PLUGIN.text.event(event, names, watcher)}" for event in events), sep="\n")


if __name__ == "__main__":
    main()
