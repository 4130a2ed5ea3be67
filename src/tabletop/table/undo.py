"""Undo and redo at a table: free, or with the consent of the other people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, get_args

from tabletop.errors import MatchOver, NotPermitted, TabletopError
from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Draw
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed, Event, Watcher
from tabletop.rules.game import Table
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins, to_json
from tabletop.table.players import Players
from tabletop.wording import join_words, plural

UndoPolicy: TypeAlias = Literal["free", "casual", "fair"]
"""The rule for undo at a table.

- "free": Everybody with a seat may undo everything.
- "casual" and "fair": The same if one person plays with bots. Between people, those with other
  links must agree, except to undo secret choices that nobody else has seen. At a fair table, an
  undo cannot go back past a random draw, or past an action that revealed something that its actor
  did not know. It is not possible after the end either, because the seed is revealed then.
"""

_GUESSES: Final = 16
"""Number of other states, or of other choices, to compare."""

POLICIES: Final[tuple[UndoPolicy, ...]] = get_args(UndoPolicy)


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    """The answer whether actions can be undone. It is true if they can, even if consent is needed.

    Attributes:
        actions: The number of actions, or 0 if nobody has acted yet.
        consent: The seats that must agree.
        reason: The reason for a refusal, or an empty text.
    """

    actions: int
    consent: tuple[Seat, ...] = ()
    reason: str = ""

    def __bool__(self) -> bool:
        return not self.reason


class UndoManager:
    """The rules for undo at a table: which actions may be undone, and which seats must agree.

    Args:
        players: The bots and people.
        can_agree: Whether somebody decides for the seat of a person, and so can agree.
        policy: The rule for undo.

    Attributes:
        policy: The rule for undo.
        automatic: The plies of passes that the table has played.

    Raises:
        ValueError: The rule for undo does not exist.
    """

    def __init__(
        self, players: Players, can_agree: Callable[[Seat], bool], policy: UndoPolicy
    ) -> None:
        if policy not in POLICIES:
            raise ValueError(f"undo is one of {', '.join(map(repr, POLICIES))}, not {policy!r}")
        self.policy: UndoPolicy = policy
        self.automatic: set[int] = set()
        self._players = players
        self._match = players.match
        self._can_agree = can_agree
        self._obstacles: dict[int, str] = {}  # at this position, by the number of actions
        self._persons = set(players.people)  # including people whose seat a bot plays now

    @property
    def is_free(self) -> bool:
        """True if everything may be undone without consent."""
        return self.policy == "free" or len(self._persons) < 2

    def can_undo(self, own: tuple[Seat, ...], actions: int | None) -> UndoAnswer:
        """Return whether people with these seats may undo actions now, and with whose consent."""
        count = actions or 0
        try:
            count = self.count(own, actions)
            consent = self.voters(own, count)
        except (TabletopError, ValueError) as error:
            return UndoAnswer(count, reason=str(error))
        return UndoAnswer(count, consent)

    def check_redo(self, own: tuple[Seat, ...], actions: int | None) -> None:
        """Raise an error unless people with these seats may redo this number of actions."""
        if self.is_free:
            return
        # Without a number, redo stops before the second action of a person.
        for seat in redo_seats(self._match, actions or 1):
            if seat not in own and seat in self._persons:
                raise NotPermitted(f"only {self._match.names[seat]} can play this again")

    def changed(self) -> None:
        """Note that the position has changed."""
        self._obstacles.clear()
        self.automatic = {ply for ply in self.automatic if ply < self._match.ply}

    def seated(self, seat: Seat) -> None:
        """Note that a seat has a new player."""
        if self._players.is_person(seat):
            self._persons.add(seat)

    def count(self, own: tuple[Seat, ...], actions: int | None) -> int:
        """Return the number of actions to undo, by default back to the last action of a person.

        Unless undo is free, it is a person with one of the seats `own`.
        """
        if not self.is_free and not own:
            raise NotPermitted("you control no seat, so you cannot undo")
        if actions is not None:
            return actions
        people = self._players.people if self.is_free else own
        return plies_to_undo(self._match, people, self.automatic)

    def voters(self, own: tuple[Seat, ...], actions: int) -> tuple[Seat, ...]:
        """Return the seats that must agree before people with these seats undo actions.

        Raises:
            TabletopError, ValueError: The actions cannot be undone.
        """
        if not 0 <= actions <= self._match.ply:
            wanted = plural(actions, "action")
            raise ValueError(f"{wanted} cannot be undone, because {self._match.ply} played so far")
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
        if any(it.ply > self._match.ply - actions for it in self._match.concessions):
            raise NotPermitted("a seat has lost since then, which cannot be undone")
        others = tuple(seat for seat in self._players.people if seat not in own)
        if others and is_unseen(self._match, actions, own):
            return ()
        self.check_present(others)
        return others

    def check_present(self, seats: Sequence[Seat]) -> None:
        """Raise `NotPermitted` if nobody could agree for a seat."""
        away = [seat for seat in seats if not self._can_agree(seat)]
        if away:
            raise NotPermitted(f"{self._named(away)} is away and cannot agree now")

    def _named(self, seats: Sequence[Seat]) -> str:
        return join_words([self._match.names[seat] for seat in seats], "and")


def find_obstacle(match: AnyMatch, actions: int) -> str:
    """Return the reason why actions cannot be undone at a fair table, or an empty text.

    The actions are repeated on a clone. None of them may draw, show some seats more than others, or
    reveal something that its actor did not know. Information that the actor knew, such as a card of
    their own hand, was theirs to reveal.
    """
    draws: list[Draw] = []
    past = match.clone(on_draw=draws.append)
    past.undo(actions)
    past.on_observer_failure(bool)  # failures were reported the first time
    seen: dict[Watcher, list[Event]] = {watcher: [] for watcher in (None, *range(match.seats))}
    for watcher, events in seen.items():
        past.observe(events.append, seat=watcher)
    obstacle = ""
    for _ in range(actions):
        draws.clear()
        for events in seen.values():
            events.clear()
        before = [_secrets(past, seat) for seat in range(match.seats)]
        action = match.actions[past.ply]
        revealed = _reveals(past, action)
        past.redo()
        played = next(event for event in seen[None] if isinstance(event, ActionPlayed))
        whose = f"{match.names[played.seat]}'s {played.action or 'action'}"
        others = [seat for seat in range(match.seats) if seat != played.seat]
        if any(draw.bound > 1 for draw in draws):  # a draw of a single item is not random
            obstacle = f"{whose} cannot be undone, because it includes random draws"
        elif (
            revealed
            or any(_without_action(seen[None]) != _without_action(it) for it in seen.values())
            or any(seen[None] != seen[seat] for seat in others)
            or any(_secrets(past, seat) - before[seat] for seat in others)
        ):
            obstacle = f"{whose} cannot be undone, because it revealed something hidden"
    return obstacle


def _reveals(match: AnyMatch, action: Any) -> bool:
    """Check whether an action reveals something to its actor or to everybody.

    It is played in states that the actor cannot distinguish from the real state. All of them have
    the same result if nothing is revealed.
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
                [game.view_event(event, state, it) for event in table.events],
            )
            for it in (actor, None)
        ]

    guess, stream = game.redealer(match.state, actor), Streams("what an action shows")["guesses"]
    real = shown(match.state.clone())
    return any(shown(guess(stream)) != real for _ in range(_GUESSES))


def is_unseen(match: AnyMatch, actions: int, seats: Container[Seat]) -> bool:
    """Check whether the last `actions` actions are choices of `seats` that nobody else has seen.

    The other players must not receive the action, and must see the same after a different choice.
    """
    if not match.game.hides_something:
        return False
    past = match.clone()
    past.undo(actions)
    return all(_stays_hidden(past, it, seats) for it in match.actions[past.ply :])


def _stays_hidden(past: AnyMatch, action: Any, seats: Container[Seat]) -> bool:
    """Repeat an action. Check that it belongs to `seats` and that others cannot see it."""
    game, actor = past.game, past.actor(action)
    others = [it for it in (None, *range(past.seats)) if it is None or it not in seats]
    alternatives = (it for it in past.legal_actions(actor) if it != action)
    instead = [*islice(alternatives, _GUESSES)]

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


def _without_action(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, ActionPlayed)]


def _secrets(match: AnyMatch, seat: Seat) -> Counter[str]:
    """Count the values that a seat sees and spectators do not."""
    if not match.game.hides_something:
        return Counter()
    public = dict(_flatten(to_builtins(match.view(None))))
    values = _flatten(to_builtins(match.view(seat)))
    # Ignore indices, because a card that leaves a hand moves the other cards.
    return Counter(
        f"{[name for name in at if isinstance(name, str)]} {value!r}"
        for at, value in values
        if public.get(at, ...) != value
    )


def _flatten(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], object]]:
    """Yield the values in a state, each with its path."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _flatten(item, (*at, key))
    else:
        yield at, value


def plies_to_undo(match: AnyMatch, people: Container[Seat], automatic: Container[int] = ()) -> int:
    """Count the actions back to the last action of one of `people`.

    Actions at the plies in `automatic` were not played by the people themselves.
    """
    past, actions = match.clone(), match.actions
    count = 0
    while past.ply:
        past.undo()
        count += 1
        if past.ply not in automatic and past.actor(actions[past.ply]) in people:
            return count
    raise ValueError("there is no action to undo")


def redo(
    match: AnyMatch,
    actions: int | None,
    people: Container[Seat],
    changed: Callable[[], object],
) -> None:
    """Redo `actions` actions, by default until one of `people` is to act.

    `changed` is called after each step, while the match is at that position.
    """
    if not match.undone:
        raise ValueError("there is no undone action to repeat")
    ply = match.ply
    try:
        match.redo(actions or 1)
    finally:
        if match.ply != ply:  # also if a later action cannot be recorded
            changed()
    while actions is None and match.undone and next(redo_seats(match, 1)) not in people:
        match.redo()
        changed()


def redo_seats(match: AnyMatch, actions: int) -> Iterator[Seat]:
    """Yield the seats of the next actions to redo, at most `actions` of them."""
    ahead = match.clone()
    for _ in range(min(actions, match.undone)):
        before = ahead.clone()
        ahead.redo()
        yield before.actor(ahead.actions[-1])
