"""What cannot be taken back between people: chance that has been seen, and secrets that were told.

Asked about an action of the past, it is played again on a clone and watched: what is drawn for it,
and who learns of it what others do not. Nobody pays for that who does not ask.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tabletop.codec import to_builtins, to_json
from tabletop.errors import TabletopError
from tabletop.events import ActionPlayed, Event
from tabletop.match import AnyMatch, Match
from tabletop.outcome import Seat
from tabletop.rng import Draw, Streams

Path: TypeAlias = tuple[int | str, ...]
"""Where a value stands in a state: names of fields, and numbers in lists."""

TRIES: Final = 16
"""So often what the actor could not see is dealt anew, to find out whether they have learned it."""


@dataclass(frozen=True, slots=True)
class Past:
    """An action of the past, as everybody at the table may know it.

    Attributes:
        seat: whose it was.
        words: the action, as a player would type it; empty when not everybody may know.
        obstacle: what it has brought to light, so that it cannot be taken back; empty when nothing.
    """

    seat: Seat
    words: str
    obstacle: str


class Hindsight:
    """The past of a match, looked at as far as somebody asks.

    Args:
        match: what is played. Call `changed` when it has gone on or back.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._known: dict[int, Past] = {}

    def changed(self) -> None:
        """Forget what has been taken back."""
        ply = self._match.ply
        self._known = {at: past for at, past in self._known.items() if at <= ply}

    def obstacle(self, actions: int) -> str:
        """Why the last `actions` actions cannot be taken back; empty when they can."""
        names, now = self._match.names, self._match.ply
        for ply in range(now, now - actions, -1):
            past = self._known.get(ply)
            if past is None:
                past = self._known[ply] = _look_back(self._match, now - ply + 1)
            if past.obstacle:
                whose = f"{names[past.seat]}'s {past.words or 'action'}"
                return f"{past.obstacle.format(whose=whose)} cannot be taken back"
        return ""


def _look_back(match: AnyMatch, actions: int) -> Past:
    """The first of the last `actions` actions, played again."""
    # Played again aside, where every draw and event can be watched: nothing is kept of either.
    draws: list[Draw] = []
    past = match.clone(on_draw=draws.append)
    past.undo(actions)
    before = past.clone()
    witness = _Witness(past)
    draws.clear()
    past.redo()
    action = past.actions[-1]
    seat = before.actor(action)
    words = "" if witness.words is None else str(witness.words)
    if any(draw.bound > 1 for draw in draws):  # a draw among one thing shows nothing
        obstacle = "what chance made of {whose}"
    elif not match.game.hides_something:
        obstacle = ""
    elif witness.observed_in_secret(seat) or _is_shown_in_secret(before, past, seat):
        obstacle = "what was told in secret after {whose}"
    elif _has_learned(before, past, seat, witness.observed[seat]):
        obstacle = "what {whose} has brought to light"
    else:
        obstacle = ""
    return Past(seat, words, obstacle)


class _Witness:
    """Observes a match as every seat, and as a spectator.

    Attributes:
        observed: the events that each could observe, by seat; None stands for spectators.
    """

    def __init__(self, match: AnyMatch) -> None:
        self.observed: dict[Seat | None, list[Event]] = {}
        match.on_observer_failure(bool)  # it was reported when it happened
        for watcher in (None, *range(match.seats)):
            self.observed[watcher] = []
            match.observe(self.observed[watcher].append, seat=watcher)

    @property
    def words(self) -> object:
        """The action, if a spectator may know it."""
        played = (event.action for event in self.observed[None] if isinstance(event, ActionPlayed))
        return next(played, None)

    def observed_in_secret(self, actor: Seat) -> bool:
        """Whether somebody other than the actor observed what spectators did not."""
        return any(
            event not in self.observed[None]
            for seat, events in self.observed.items()
            if seat not in (None, actor)
            for event in events
        )


def _is_shown_in_secret(before: AnyMatch, after: AnyMatch, actor: Seat) -> bool:
    """Whether somebody other than the actor sees something new that spectators do not see.

    That a card has come into a hand is new, also where its owner knew that it was in the deck. So
    is one that everybody saw before: in doubt nothing is taken back.
    """
    for seat in range(before.seats):
        if seat == actor:
            continue
        former = _secrets(before, seat)
        if any(values - former[zone] for zone, values in _secrets(after, seat).items()):
            return True
    return False


def _secrets(match: AnyMatch, seat: Seat) -> defaultdict[Path, Counter[str]]:
    """The values that a seat sees where spectators see others, or nothing; by where they lie."""
    public, own = _leaves(match.view(None)), _leaves(match.view(seat))
    found: defaultdict[Path, Counter[str]] = defaultdict(Counter)
    for at, value in own.items():
        if at not in public or public[at] != value:
            found[_zone(at)][repr(value)] += 1
    return found


def _zone(at: Path) -> Path:
    """The list in which a value stands, or something of a thing in it: `hands[1][3]` is one.

    Where in the list does not matter: what leaves it moves the others.
    """
    for place in range(len(at) - 1, -1, -1):
        if isinstance(at[place], int):
            return *at[:place], "*", *at[place + 1 :]
    return at


def _leaves(state: object) -> dict[Path, object]:
    """The values in a state, by where they stand in it."""
    found: dict[Path, object] = {}
    waiting: list[tuple[Path, object]] = [((), to_builtins(state))]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*at, name), item) for name, item in value.items()]
        elif isinstance(value, list):
            waiting += [((*at, number), item) for number, item in enumerate(value)]
        else:
            found[at] = value
    return found


def _has_learned(before: AnyMatch, after: AnyMatch, actor: Seat, heard: list[Event]) -> bool:
    """Whether the actor has learned something by an action: it would have gone another way if what
    they could not see had been different.
    """
    chance = Streams("hindsight")["redeal", before.ply]
    action, seen = after.actions[-1], to_json(after.view(actor))
    for _ in range(TRIES):
        other = _elsewhere(before, before.game.redeal(before.state, actor, chance))
        witness = _Witness(other)
        try:
            other.play(action)
        except TabletopError:
            continue  # there it could not have been done
        if witness.observed[actor] != heard or to_json(other.view(actor)) != seen:
            return True
    return False


def _elsewhere(match: AnyMatch, state: Any) -> AnyMatch:
    """A match at the same ply as `match`, in another state."""
    other: AnyMatch = Match(
        match.game, seed=match.seed, salt=match.salt, seats=match.names, options=match.options
    )
    other.jump(match.ply, state, match.streams(), lambda: match.actions)
    return other
