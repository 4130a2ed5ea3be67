"""A correct game with secrets, and variants of it that reveal a secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from tabletop import (
    ActionPlayed,
    Event,
    Game,
    Options,
    Outcome,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    event,
    state,
)

CARDS = (1, 2, 3, 4, 5, 6, 7, 8)
HIDDEN = 0
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Bid:
    """Offer some points, in secret."""

    points: int

    def __str__(self) -> str:
        return f"bid {self.points}"


@dataclass(frozen=True, slots=True)
class Peek:
    """Look at the card of the next seat."""

    def __str__(self) -> str:
        return "peek"


ACTIONS: tuple[Bid | Peek, ...] = (Peek(), *(Bid(points) for points in (1, 2, 3)))


@event
class Peeked(Event):
    """A seat has seen the card of the next one."""

    seat: Seat
    card: int


@event
class Opened(Event):
    """All bids are revealed."""

    bids: tuple[int, ...]


@state
class Auction(State):
    """The cards and bids of the seats (None: no bid), and who knows the card of the next seat."""

    cards: list[int]
    deck: list[int]
    bids: list[int | None]
    knows: list[bool]
    points: list[int]
    rounds: int = 0


class Sealed(Game[Auction, Bid | Peek]):
    """Correct: bids are hidden until all seats have bid, and a card that was seen stays known."""

    name = "sealed"
    seats = range(2, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Auction:
        deck = list(CARDS)
        rng["deck"].shuffle(deck)
        cards = [deck.pop() for _ in range(seats)]
        return Auction(cards, deck, [None] * seats, [False] * seats, [0] * seats)

    def to_act(self, state: Auction) -> Sequence[Seat]:
        return () if state.rounds == ROUNDS else (state.bids.index(None),)

    def legal_actions(self, state: Auction, seat: Seat) -> Sequence[Bid | Peek]:
        return ACTIONS[1:] if state.knows[seat] else ACTIONS

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        seat = state.bids.index(None)
        if isinstance(action, Peek):
            state.knows[seat] = True
            table.emit(Peeked(seat, state.cards[(seat + 1) % len(state.cards)]))
            return
        state.bids[seat] = action.points
        bids = tuple(bid for bid in state.bids if bid is not None)
        if len(bids) == len(state.bids):
            table.emit(Opened(bids))
            for other, bid in enumerate(bids):
                state.points[other] += bid
            state.bids = [None] * len(bids)
            state.rounds += 1

    def outcome(self, state: Auction) -> Outcome | None:
        if state.rounds < ROUNDS:
            return None
        pairs = zip(state.points, state.cards, strict=True)
        return Outcome.by_score([points * card for points, card in pairs])

    def view(self, state: Auction, seat: Seat | None) -> Auction:
        view = state.clone()
        view.deck = [HIDDEN] * len(state.deck)
        for other in range(len(state.cards)):
            if not self.sees(state, seat, other):
                view.cards[other] = HIDDEN
            if other != seat and state.bids[other] is not None:
                view.bids[other] = HIDDEN
        return view

    def sees(self, state: Auction, seat: Seat | None, other: Seat) -> bool:
        """Return whether `seat` sees the card of `other`."""
        if seat is None or seat == other:
            return seat is not None
        return state.knows[seat] and other == (seat + 1) % len(state.cards)

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        match event:
            case ActionPlayed(ply, who, Bid()) if who != seat and state.bids[who] is not None:
                return ActionPlayed(ply, who, None)
            case Peeked(who) if who != seat:
                return Peeked(who, HIDDEN)
        return event

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = state.clone()
        unseen = [it for it in range(len(dealt.cards)) if not self.sees(state, seat, it)]
        pool = sorted(dealt.deck + [dealt.cards[it] for it in unseen])
        rng.shuffle(pool)
        for it in unseen:
            dealt.cards[it] = pool.pop()
        dealt.deck = pool
        dealt.bids = [
            rng.between(1, 3) if bid and it != seat else bid for it, bid in enumerate(state.bids)
        ]
        return dealt


class SaysNothing(Sealed):
    """Does not define which seats receive a bid."""

    view_event = Game.view_event


class ShoutsBids(Sealed):
    """Masks the card of a peek, but not the bids."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        if isinstance(event, ActionPlayed):
            return event
        return super().view_event(event, state, seat)


class ShoutsPeeks(Sealed):
    """Announces the card of a peek to all seats."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        return event if isinstance(event, Peeked) else super().view_event(event, state, seat)


class ForgetsPeeks(Sealed):
    """Shows a card to a seat, but does not store that the seat knows it."""

    def apply(self, state: Auction, action: Bid | Peek, table: Table) -> None:
        super().apply(state, action, table)
        state.knows = [False] * len(state.knows)


class TellsWithTheState(Sealed):
    """Returns an event with a value of the hidden state."""

    def view_event(self, event: Event, state: Auction, seat: Seat | None) -> Event | None:
        event = super().view_event(event, state, seat) or event
        return Opened((state.deck[0],)) if isinstance(event, Opened) else event


class Bluffs(Sealed):
    """The legal actions depend on the card of another seat."""

    def legal_actions(self, state: Auction, seat: Seat) -> Sequence[Bid | Peek]:
        return ACTIONS[1:] if state.cards[seat - 1] > 4 else ACTIONS


class RedealsTheView(Sealed):
    """`redeal` returns the view instead of a possible state."""

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        return self.view(state, seat)


class MakesCardsUp(Sealed):
    """`redeal` deals any card, even one that another seat holds."""

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt = super().redeal(state, seat, rng)
        for it in range(len(dealt.cards)):
            if not self.sees(state, seat, it):
                dealt.cards[it] = rng.choice(CARDS)
        return dealt


class CannotBePlayedOn(Sealed):
    """`redeal` returns bids that are not numbers, so the rules fail."""

    def redeal(self, state: Auction, seat: Seat | None, rng: Stream) -> Auction:
        dealt: Any = super().redeal(state, seat, rng)
        dealt.bids = ["much" if bid and it != seat else bid for it, bid in enumerate(state.bids)]
        return cast("Auction", dealt)


class SharesItsList(Sealed):
    """The view contains a list of the state."""

    def view(self, state: Auction, seat: Seat | None) -> Auction:
        view = super().view(state, seat)
        view.knows = state.knows
        return view


class ShowsSpectators(Sealed):
    """Shows spectators every card."""

    def sees(self, state: Auction, seat: Seat | None, other: Seat) -> bool:
        return seat is None or super().sees(state, seat, other)


LEAKY: dict[type[Sealed], tuple[str, str]] = {
    SaysNothing: ("effects", "in view_event"),
    ShoutsBids: ("events", r"knows bids\[0\]"),
    ShoutsPeeks: ("events", r"knows cards\[\d\]"),
    ForgetsPeeks: ("events", "store in the state that the value is known"),
    TellsWithTheState: ("events", "depends on hidden values"),
    Bluffs: ("redealt", "they reveal values that seat"),
    RedealsTheView: ("redealt", "returns the masked view"),
    MakesCardsUp: ("redealt", "invents"),
    CannotBePlayedOn: ("redealt", "cannot be played"),
    ShowsSpectators: ("spectators", r"hidden from seat \d"),
    SharesItsList: ("views", r"shares knows \(a list\) with the state"),
}
"""The broken law of each game, and a part of the message."""
