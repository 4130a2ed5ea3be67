"""Undo and redo at a table: freely, or fairly between people, who are asked for consent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from tabletop.errors import MatchOver, NotPermitted, TabletopError
from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Draw
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed, Event, Watcher
from tabletop.rules.game import Table
from tabletop.session.participants import Dispatcher, Participant
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins, to_json
from tabletop.wording import join_words, plural

UndoPolicy: TypeAlias = Literal["free", "casual", "fair"]
"""The rule for taking back actions at a table.

"free": everything, by everybody who sits there. "casual" and "fair": the same where one person
plays with bots; between people, those who sit at other clients are asked for their consent, unless
it is about secret choices that nobody else has seen. At a fair table nothing goes back behind a
draw, or what somebody was told or shown that the actor did not know; and nothing after the end, as
the seed is told then.
"""

_GUESSES: Final = 16
"""So many other states, or choices, are looked at: in one of them a hidden coin lies otherwise."""

POLICIES: Final[tuple[UndoPolicy, ...]] = get_args(UndoPolicy)


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    """The answer whether actions can be undone; true if they can, even if only with consent.

    Attributes:
        actions: the number asked about; 0 where nobody has acted yet.
        consent: the seats that would be asked for their consent.
        reason: the obstacle; empty when they can be undone.
    """

    actions: int
    consent: tuple[Seat, ...] = ()
    reason: str = ""

    def __bool__(self) -> bool:
        return not self.reason


class UndoManager:
    """The rules for undo at a table: which actions may be undone, and which seats must agree."""

    def __init__(self, match: AnyMatch, dispatcher: Dispatcher, policy: UndoPolicy) -> None:
        if policy not in POLICIES:
            raise ValueError(f"undo is one of {', '.join(map(repr, POLICIES))}, not {policy!r}")
        self.policy = policy
        self._match = match
        self._dispatcher = dispatcher
        self._obstacles: dict[int, str] = {}  # in this position, by the number of actions
        self._persons = set(dispatcher.people())  # also those for whom a bot plays by now

    @property
    def is_free(self) -> bool:
        """True when everything may be undone, and nobody is asked."""
        return self.policy == "free" or len(self._persons) < 2

    def can_undo(self, participant: Participant, actions: int | None) -> UndoAnswer:
        """Check whether a client may undo actions now, and with whose consent; no effect."""
        count = actions or 0
        try:
            count = self.count(participant, actions)
            consent = self.voters(participant.seats, count)
        except (TabletopError, ValueError) as error:
            return UndoAnswer(count, reason=str(error))
        return UndoAnswer(count, consent)

    def check_redo(self, participant: Participant, actions: int | None) -> None:
        """Accept that a client redoes so many actions, or raise."""
        if self.is_free:
            return
        own = participant.seats
        # Without a number only the first is a person's: redo stops before the next.
        for seat in redo_seats(self._match, actions or 1):
            if seat not in own and seat in self._persons:
                raise NotPermitted(f"only {self._match.names[seat]} can play this again")

    def changed(self) -> None:
        """Note that the position has changed."""
        self._obstacles.clear()

    def seated(self, seat: Seat) -> None:
        """Note that a seat has a new player."""
        if seat in self._dispatcher.people():
            self._persons.add(seat)

    def count(self, participant: Participant, actions: int | None) -> int:
        """Count the actions meant: without a number, the last of a person and all since.

        With people at several clients it is a person of this one.
        """
        if not participant.may_request:
            raise NotPermitted("you are watching and have no seat")
        if not self.is_free and not participant.seats:
            raise NotPermitted("you control no seat, so you cannot undo")
        if actions is not None:
            return actions
        people = self._dispatcher.people() if self.is_free else participant.seats
        return plies_to_undo(self._match, people)

    def voters(self, own: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        """Return the seats that must agree before a client with these seats undoes actions.

        Raises:
            TabletopError, ValueError: The actions cannot be undone.
        """
        if not 0 <= actions <= self._match.ply:
            asked = plural(actions, "action")
            raise ValueError(f"{asked} cannot be undone, because {self._match.ply} played so far")
        if self.is_free or not actions:
            return ()
        if self.policy == "fair":
            if self._match.over:
                raise MatchOver(
                    "the match is over and its seed is revealed, so nothing can be undone"
                )
            if actions not in self._obstacles:
                self._obstacles[actions] = find_obstacle(self._match, actions)
            if self._obstacles[actions]:
                raise NotPermitted(self._obstacles[actions])
        others = tuple(seat for seat in self._dispatcher.people() if seat not in own)
        if others and is_unseen(self._match, actions, own):
            return ()
        away = [seat for seat in others if not self._dispatcher.participants_of(seat)]
        if away:
            raise NotPermitted(f"{self._named(away)} is away and cannot agree now")
        return others

    def _named(self, seats: Sequence[Seat]) -> str:
        return join_words([self._match.names[seat] for seat in seats], "and")


def find_obstacle(match: AnyMatch, actions: int) -> str:
    """Say why the last `actions` actions cannot be undone at a fair table; empty when they can.

    They are played again on a clone: none may draw, show some seats more than others, or turn up
    what its actor did not know. What the actor knew, such as a card of their hand, was theirs to
    show.
    """
    draws: list[Draw] = []
    past = match.clone(on_draw=draws.append)
    past.undo(actions)
    past.on_observer_failure(bool)  # it was reported when it happened
    told: dict[Watcher, list[Event]] = {watcher: [] for watcher in (None, *range(match.seats))}
    for watcher, events in told.items():
        past.observe(events.append, seat=watcher)
    obstacle = ""
    for _ in range(actions):
        draws.clear()
        for events in told.values():
            events.clear()
        before = [_secrets(past, seat) for seat in range(match.seats)]
        action = match.actions[past.ply]
        revealed = _reveals(past, action)
        past.redo()
        played = next(event for event in told[None] if isinstance(event, ActionPlayed))
        whose = f"{match.names[played.seat]}'s {played.action or 'action'}"
        others = [seat for seat in range(match.seats) if seat != played.seat]
        if any(draw.bound > 1 for draw in draws):  # a draw among one thing shows nothing
            obstacle = f"{whose} cannot be undone, because it includes random draws"
        elif (
            revealed
            or any(_besides_action(told[None]) != _besides_action(it) for it in told.values())
            or any(told[None] != told[seat] for seat in others)
            or any(_secrets(past, seat) - before[seat] for seat in others)
        ):
            obstacle = f"{whose} cannot be undone, because it revealed something hidden"
    return obstacle


def _reveals(match: AnyMatch, action: Any) -> bool:
    """Check whether an action shows its actor or everybody something that the actor did not know.

    It is played in states that the actor cannot tell from the real one: all of them end alike where
    nothing is turned up.
    """
    game, actor = match.game, match.actor(action)
    if not game.hides_something:
        return False

    def shown(state: Any) -> list[object]:
        table = Table(Streams("what an action shows"))
        table.watch(watched=True)
        game.apply(state, action, table)
        return [
            (
                to_json(game.view(state, it)),
                [game.view_event(told, state, it) for told in table.events],
            )
            for it in (actor, None)
        ]

    guess, chance = game.redealer(match.state, actor), Streams("what an action shows")["guesses"]
    real = shown(match.state.clone())
    return any(shown(guess(chance)) != real for _ in range(_GUESSES))


def is_unseen(match: AnyMatch, actions: int, seats: Container[Seat]) -> bool:
    """Check whether the last `actions` actions are choices of `seats` that nobody else has seen.

    Nobody is told what such an action was, and everybody else would see the same after another one.
    """
    if not match.game.hides_something:
        return False
    past = match.clone()
    past.undo(actions)
    return all(_stays_hidden(past, it, seats) for it in match.actions[past.ply :])


def _stays_hidden(past: AnyMatch, action: Any, seats: Container[Seat]) -> bool:
    """Play an action again; check that it is one of `seats`, and that others cannot see it."""
    game, actor = past.game, past.actor(action)
    others = [it for it in (None, *range(past.seats)) if it is None or it not in seats]
    instead = [it for it in past.legal_actions(actor) if it != action][:_GUESSES]

    def shown(choice: Any) -> list[object]:
        state, played = past.state.clone(), ActionPlayed(past.ply + 1, actor, choice)
        game.apply(state, choice, Table(Streams("another choice")))
        seen = (to_json(game.view(state, it)) for it in others)
        return [*seen, *(game.view_event(played, state, it) for it in others)]

    hidden = (
        actor in seats and bool(instead) and len({str(shown(it)) for it in (action, *instead)}) == 1
    )
    past.redo()
    return hidden


def _besides_action(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, ActionPlayed)]


def _secrets(match: AnyMatch, seat: Seat) -> Counter[str]:
    """Count the values that a seat sees where spectators see others, or nothing."""
    if not match.game.hides_something:
        return Counter()
    public = dict(_flatten(to_builtins(match.view(None))))
    own = _flatten(to_builtins(match.view(seat)))
    # By the names of fields alone: a card that leaves a hand moves the others, and one that comes
    # from a deck is new in the hand.
    return Counter(
        f"{[name for name in at if isinstance(name, str)]} {value!r}"
        for at, value in own
        if public.get(at, ...) != value
    )


def _flatten(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], object]]:
    """Yield the values in a state, each with its place in it."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _flatten(item, (*at, key))
    else:
        yield at, value


def plies_to_undo(match: AnyMatch, people: Container[Seat]) -> int:
    """Count the actions after the last time that a person was to act."""
    past, actions = match.clone(), match.actions
    count = 0
    while past.ply:
        past.undo()
        count += 1
        if past.actor(actions[past.ply]) in people:
            return count
    raise ValueError("there is no action to undo")


def redo(
    match: AnyMatch,
    actions: int | None,
    people: Container[Seat],
    changed: Callable[[], object],
) -> None:
    """Redo `actions` actions; by default until one of `people` is to act.

    `changed` is called after each step, as long as the match stands there.
    """
    if not match.undone:
        raise ValueError("there is no undone action to repeat")
    match.redo(actions or 1)
    changed()
    while actions is None and match.undone and next(redo_seats(match, 1)) not in people:
        match.redo()
        changed()


def redo_seats(match: AnyMatch, actions: int) -> Iterator[Seat]:
    """Yield the seats whose actions would be played again next, so many at most."""
    ahead = match.clone()
    for _ in range(min(actions, match.undone)):
        before = ahead.clone()
        ahead.redo()
        yield before.actor(ahead.actions[-1])
