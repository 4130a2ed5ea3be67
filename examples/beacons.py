"""Beacons: keepers light the beacons of a coast, and some are wreckers.

tabletop play examples/beacons.py --bot 2 --bot 3 --bot 4 --bot 5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, takewhile
from math import prod
from pathlib import Path
from typing import Annotated, ClassVar, Final

from tabletop import (
    ALL,
    OWNER,
    Command,
    Commands,
    Event,
    Options,
    Ordinal,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    Selections,
    Several,
    Spelled,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import CardTable, CardText, Face, Scene
from tabletop.rules import clockwise
from tabletop.states import PER_SEAT, Length, OneOf, Range
from tabletop.wording import join_words, plural

KEEPER, LOOKOUT, WRECKER, RINGLEADER = "keeper", "lookout", "wrecker", "ringleader"
WRECKERS: Final = (WRECKER, RINGLEADER)
SOME_WRECKER: Final = "a wrecker"  # as seen by the lookout and by other wreckers
HIDDEN: Final = "?"
FACTIONS: Final = ("keepers", "wreckers")
NIGHTS, NEEDED, TRIES = 5, 3, 5


def wreckers_among(seats: int) -> int:
    return (seats + 2) // 3


def crew_size(seats: int, night: int) -> int:
    return seats // 2 + (0, 1, 0, 1, 1)[night]


@dataclass(frozen=True, slots=True)
class Send(Spelled):
    """Propose the crew of the night."""

    crew: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Vote(Spelled):
    """Accept or refuse a crew (`yes`, `no`), or tend the beacon (`light`, `douse`)."""

    seat: Seat
    verb: str = secret(to=OWNER, back=HIDDEN)


@dataclass(frozen=True, slots=True)
class Name(Spelled):
    """Name the lookout."""

    target: Seat


VOTES: Final = {
    "yes": "Accept the crew.",
    "no": "Refuse the crew.",
    "light": "Tend the beacon.",
    "douse": "Douse your lamp, as a wrecker.",
}
COMMANDS = Commands(
    Command(
        "send", Send, Several(Ordinal("player", 10, field="crew"), 2, 6), help="Choose a crew."
    ),
    Command("name", Name, Ordinal("player", 10, field="target"), help="Name the lookout."),
    *(Command(verb, Vote, help=text) for verb, text in VOTES.items()),
)


@event
class Voted(Event):
    """All players have voted on a crew."""

    votes: tuple[str, ...]
    accepted: bool


@event
class Returned(Event):
    """The crew is back from the beacon, which some of them may have doused."""

    crew: tuple[Seat, ...]
    doused: int
    lit: bool


Crew = Annotated[tuple[Seat, ...], Length(6)]


@dataclass(frozen=True, slots=True)
class Trip:
    """A proposed crew, the votes (none for the last try), and how many doused, if it was sent."""

    warden: Seat
    crew: Crew
    votes: Annotated[tuple[Annotated[str, OneOf(("yes", "no"))], ...], Length(10)]
    doused: Annotated[int, Range(0, 6)] | None = None


def sees(state: Coast, seat: Seat | None, owner: Seat) -> bool:
    """Wreckers reveal themselves when the ringleader names the lookout, and all at the end."""
    role = state.roles[owner]
    return seat == owner or is_over(state) or (state.lit == NEEDED and role in WRECKERS)


# --8<-- [start:secrets]
def is_possible(
    view: Coast,
    seat: Seat | None,
    owner: Seat,
    place: object,
    role: str,
) -> bool:
    """Return whether a seat must consider a role possible."""
    if seat is None or view.roles[seat] == KEEPER:
        return True
    shown = view.roles[owner] in (*WRECKERS, SOME_WRECKER)
    return (role in WRECKERS) == shown


# --8<-- [end:secrets]
Role = Annotated[str, OneOf((KEEPER, LOOKOUT, *WRECKERS, SOME_WRECKER))]
Ballot = Annotated[str, OneOf(("yes", "no"))]
Duty = Annotated[str, OneOf(("light", "douse"))]


@state
class Coast(State):
    """The roles, the proposed crew, the votes on it, what the crew does, and all trips."""

    roles: Annotated[list[Role], PER_SEAT] = secret(to=sees, back=HIDDEN, fits=is_possible)
    votes: Annotated[list[Ballot | None], PER_SEAT] = secret(
        to=OWNER, back=HIDDEN, choices=("yes", "no")
    )
    duties: Annotated[list[Duty | None], PER_SEAT] = secret(
        to=OWNER, back=HIDDEN, choices=("light", "douse")
    )
    crew: Crew = ()
    is_sent: bool = False
    trips: Annotated[list[Trip], Length(NIGHTS * TRIES)] = field(default_factory=list)
    lit: Annotated[int, Range(0, NEEDED)] = 0
    dark: Annotated[int, Range(0, NEEDED)] = 0
    warden: Seat = 0
    named: Seat | None = None

    @property
    def refused(self) -> int:
        """The number of crews that were refused tonight."""
        trips = reversed(self.trips[: len(self.trips) - self.is_sent])
        return len(list(takewhile(lambda trip: trip.doused is None, trips)))

    @property
    def needs_two(self) -> bool:
        """Whether a single doused lamp leaves the beacon of tonight lit."""
        return self.lit + self.dark == 3 and len(self.roles) >= 7


def is_over(state: Coast) -> bool:
    return state.dark == NEEDED or state.named is not None


class Beacons(SecretGame[Coast, Send | Vote | Name]):
    """Keepers and wreckers."""

    name = "beacons"
    title = "Beacons"
    seats = range(5, 11)
    factions = FACTIONS
    commands = COMMANDS

    def setup(self, options: Options, seats: int, rng: Streams) -> Coast:
        others = wreckers_among(seats) - 1
        roles = [RINGLEADER, LOOKOUT, *[WRECKER] * others, *[KEEPER] * (seats - others - 2)]
        return Coast(rng["roles"].sample(roles, seats), [None] * seats, [None] * seats)

    def to_act(self, state: Coast) -> Sequence[Seat]:
        if is_over(state):
            return ()
        if state.lit == NEEDED:
            return (state.roles.index(RINGLEADER),)
        if not state.crew:
            return (state.warden,)
        if state.is_sent:
            return [seat for seat in state.crew if state.duties[seat] is None]
        return [seat for seat, vote in enumerate(state.votes) if vote is None]

    def legal_actions(self, state: Coast, seat: Seat) -> Sequence[Send | Vote | Name]:
        seats = range(len(state.roles))
        if state.lit == NEEDED:
            return [Name(it) for it in seats if state.roles[it] not in WRECKERS]
        if not state.crew:
            size = crew_size(len(seats), state.lit + state.dark)
            return Selections(Send, "crew", seats, size, size)
        if state.is_sent:
            words = ("light", "douse") if state.roles[seat] in WRECKERS else ("light",)
        else:
            words = ("yes", "no")
        return [Vote(seat, word) for word in words]

    def all_actions(self, options: Options, seats: int) -> Sequence[Send | Vote | Name]:
        sizes = sorted({crew_size(seats, night) for night in range(NIGHTS)})
        sends = [Send(crew) for size in sizes for crew in combinations(range(seats), size)]
        votes = [Vote(seat, word) for seat in range(seats) for word in VOTES]
        return [*sends, *votes, *map(Name, range(seats))]

    def why_not(self, state: Coast, action: Send | Vote | Name) -> str:
        if state.lit == NEEDED:
            return "the ringleader names a player who is not a wrecker"
        if not state.crew:
            size = crew_size(len(state.roles), state.lit + state.dark)
            return f"the warden sends {size} players first"
        if isinstance(action, Vote) and action.verb == "douse":
            return "only a wrecker in the crew can douse a lamp"
        return "tend the beacon: light or douse" if state.is_sent else "vote on the crew: yes or no"

    def apply(self, state: Coast, action: Send | Vote | Name, table: Table) -> None:
        match action:
            case Name(target):
                state.named = target
            case Send(crew):
                state.crew = crew
                if state.refused == TRIES - 1:
                    send(state, ())
            case Vote(seat, word) if state.is_sent:
                state.duties[seat] = word
                if all(state.duties[it] for it in state.crew):
                    come_back(state, table)
            case Vote(seat, word):
                state.votes[seat] = word
                if all(state.votes):
                    count_votes(state, table)

    def outcome(self, state: Coast) -> Outcome | None:
        if not is_over(state):
            return None
        seats = range(len(state.roles))
        wreckers = [seat for seat in seats if state.roles[seat] in WRECKERS]
        keepers = [seat for seat in seats if seat not in wreckers]
        won, lost, names = wreckers, keepers, FACTIONS[::-1]
        reason = "three beacons are dark"
        if state.named is not None:
            reason = "the lookout is found"
            if state.roles[state.named] != LOOKOUT:
                won, lost, names, reason = keepers, wreckers, FACTIONS, "three beacons are lit"
        return Outcome.teams(won, lost, names=names, roles=state.roles, reason=reason)

    # --8<-- [start:views]
    def view(self, state: Coast, seat: Seat | None) -> Coast:
        """Show the wreckers to the lookout and to each other."""
        view = super().view(state, seat)
        if seat is not None and state.roles[seat] != KEEPER:
            for other, role in enumerate(state.roles):
                if view.roles[other] == HIDDEN and role in WRECKERS:
                    view.roles[other] = SOME_WRECKER
        return view

    def redeal(
        self,
        state: Coast,
        seat: Seat | None,
        rng: Stream,
    ) -> Coast:
        """Return a state in which only wreckers have doused lamps."""
        other = super().redeal(state, seat, rng)
        while not is_consistent(other):
            other = super().redeal(state, seat, rng)
        return other

    # --8<-- [end:views]


def is_consistent(state: Coast) -> bool:
    """Return whether wreckers can have doused all lamps."""
    bad = {it for it, role in enumerate(state.roles) if role in WRECKERS}
    doused = {it for it, duty in enumerate(state.duties) if duty == "douse"}
    return doused <= bad and all(
        (trip.doused or 0) <= len(bad.intersection(trip.crew)) for trip in state.trips
    )


def send(state: Coast, votes: tuple[str, ...]) -> None:
    """Send the proposed crew."""
    state.is_sent = True
    state.trips.append(Trip(state.warden, state.crew, votes))


def count_votes(state: Coast, table: Table) -> None:
    """Send the crew if most players accept it, or else let the next warden propose one."""
    votes = tuple(vote or "" for vote in state.votes)
    accepted = 2 * votes.count("yes") > len(votes)
    send(state, votes)
    state.votes = [None] * len(votes)
    table.emit(Voted(votes, accepted))
    if not accepted:
        end_trip(state)


def come_back(state: Coast, table: Table) -> None:
    """Count the doused lamps, and begin the next night."""
    doused = state.duties.count("douse")
    is_lit = doused < 1 + state.needs_two
    table.emit(Returned(state.crew, doused, is_lit))
    state.trips[-1] = replace(state.trips[-1], doused=doused)
    state.lit += is_lit
    state.dark += not is_lit
    state.duties = [None] * len(state.duties)
    end_trip(state)


def end_trip(state: Coast) -> None:
    state.crew, state.is_sent = (), False
    state.warden = clockwise(state.warden, len(state.roles))


# Bots.


def suspicions(view: Coast, seat: Seat) -> list[float]:
    """Return how probable it is that each player is a wrecker, for a seat that is a keeper."""
    seats = range(len(view.roles))
    total, guilty = 1e-9, [0.0 for _ in seats]
    for bad in combinations([it for it in seats if it != seat], wreckers_among(len(seats))):
        weight = prod(likelihood(trip, bad) for trip in view.trips)
        total += weight
        for it in bad:
            guilty[it] += weight
    return [weight / total for weight in guilty]


def likelihood(trip: Trip, bad: Sequence[Seat]) -> float:
    """Return how well a trip fits to some wreckers."""
    aboard = sum(seat in bad for seat in trip.crew)
    if (trip.doused or 0) > aboard:
        return 0
    weight = 0.3 if aboard and trip.doused == 0 else 1.0
    if trip.votes:
        for seat in bad:  # wreckers accept crews with wreckers
            weight *= 1.3 if (trip.votes[seat] == "yes") == (aboard > 0) else 0.7
    return weight


class Sailor:
    """Weighs the trips and votes of all players. `slips` is the percentage of random moves."""

    def __init__(self, stream: Stream, seat: Seat, *, slips: int = 0) -> None:
        self.stream, self.seat, self.slips = stream, seat, slips

    def choose(self, view: Coast, actions: Sequence[Send | Vote | Name]) -> Send | Vote | Name:
        if len(actions) == 1 or self.stream.below(100) < self.slips:
            return self.stream.choice(actions)
        first, role = actions[0], view.roles[self.seat]
        public = known = suspicions(view, self.seat)
        # A lookout who always votes right is found by the ringleader.
        if role in WRECKERS or (role == LOOKOUT and self.stream.chance(1, 3)):
            known = [float(it in (*WRECKERS, SOME_WRECKER)) for it in view.roles]
        if names := [it for it in actions if isinstance(it, Name)]:
            return max(names, key=lambda it: self.insight(view, it.target, known))
        if isinstance(first, Send):
            return self.send(len(first.crew), public, known)
        if str(first) == "light":
            return actions[self.douses(view, known)]
        return actions[not self.accepts(view, known)]

    def send(self, size: int, public: Sequence[float], known: Sequence[float]) -> Send:
        """Send the least suspicious players. A wrecker sends no other wreckers."""
        others = [seat for seat in range(len(known)) if seat != self.seat]
        self.stream.shuffle(others)
        others.sort(key=lambda seat: (known[seat], public[seat]))
        return Send(tuple(sorted([self.seat, *others[: size - 1]])))

    def accepts(self, view: Coast, known: Sequence[float]) -> bool:
        risk = sum(known[seat] for seat in view.crew)
        if view.roles[self.seat] in WRECKERS:
            return risk > 0
        best = sum(sorted(known)[: len(view.crew)])
        return risk <= best + 0.3 + 0.1 * view.refused

    def douses(self, view: Coast, known: Sequence[float]) -> bool:
        """Return whether to douse the lamp: as few wreckers as necessary do."""
        bad, needed = [seat for seat in view.crew if known[seat]], 1 + view.needs_two
        if self.seat not in bad[:needed] or len(bad) < needed:
            return False
        return view.lit + view.dark > 0 or not self.stream.chance(1, 3)

    def insight(self, view: Coast, other: Seat, known: Sequence[float]) -> float:
        """Return how well a player has voted, as if the player knew the wreckers."""
        voted = [trip for trip in view.trips if trip.votes]
        good = sum(
            (trip.votes[other] == "no") == any(known[seat] for seat in trip.crew) for trip in voted
        )
        return good + self.stream.below(100) / 200


# Words and picture.

ABOUT: Final = {
    KEEPER: "You know nothing about the others.",
    LOOKOUT: "You know the wreckers. Do not let them notice it.",
    WRECKER: "You know the other wreckers.",
    RINGLEADER: "You know the other wreckers. Find the lookout.",
}


def trip_in_words(trip: Trip, names: Sequence[str]) -> str:
    crew = join_words([names[seat] for seat in trip.crew], "and")
    if trip.votes:
        yes = trip.votes.count("yes")
        crew += f" ({yes} yes, {len(trip.votes) - yes} no)"
    if trip.doused is None:
        return crew
    return f"{crew}: {plural(trip.doused, 'lamp')} doused"


# --8<-- [start:picture]
class BeaconsPicture(CardTable[Coast]):
    """The beacons, the players and the last trips."""

    buttons = tuple(VOTES)

    def status(self, view: Coast, seat: Seat) -> str:
        """Return what everybody knows about a player, and the role."""
        words = ["warden"] * (seat == view.warden and not is_over(view))
        words += ["crew"] * (seat in view.crew)
        is_counted = view.is_sent or not view.crew
        if view.trips and view.trips[-1].votes and is_counted:
            words.append(view.trips[-1].votes[seat])
        waits = view.duties if view.is_sent else view.votes
        words += ["ready"] * (waits[seat] is not None)
        role = view.roles[seat].replace(HIDDEN, "")
        return f"{', '.join(words)}\n{role}"

    def piles(
        self,
        view: Coast,
        seat: Watcher,
    ) -> Mapping[str, Sequence[Face]]:
        beacons = [beacon(view, night) for night in range(NIGHTS)]
        return {"beacons, with the number of doused lamps": beacons}

    def note(self, view: Coast, scene: Scene) -> str:
        seat = scene.seat
        own = view.roles[seat] if isinstance(seat, int) else HIDDEN
        role = [f"Your role: {own}. {ABOUT.get(own)}"] * (own in ABOUT)
        trips = [trip_in_words(it, scene.names) for it in view.trips]
        most = 1 if scene.short and scene.narrow else 3
        return "\n".join([*role, *trips[-2:]][-most:])

    def about(self, word: str) -> str:
        return VOTES[word]


def beacon(view: Coast, night: int) -> Face:
    """Draw a beacon: its fire, and the size of its crew."""
    trips = [it.doused for it in view.trips if it.doused is not None]
    size = crew_size(len(view.roles), night)
    needs = 1 + (night == 3 and len(view.roles) >= 7)
    if night >= len(trips):
        note = f"{needs} douse" if needs > 1 else ""
        return Face(words=f"crew {size}", art="lantern", note=note)
    if trips[night] < needs:
        return Face(words=f"lit: {trips[night]}", art="flame")
    return Face(words=f"dark: {trips[night]}", art="moon")


# --8<-- [end:picture]
class BeaconsText(CardText[Coast]):
    """The contents of the picture as text."""

    table = BeaconsPicture()
    verbs: ClassVar[Mapping[str, str]] = {
        "send": "wants to send {crew}",
        "name": "names {target} as the lookout",
        "": "",
    }

    def asked(self, view: Coast, seat: Seat, names: Sequence[str]) -> str:
        if view.lit == NEEDED:
            return "Name the lookout"
        if not view.crew:
            size = crew_size(len(view.roles), view.lit + view.dark)
            vote = "" if view.refused < TRIES - 1 else ", which sails without a vote"
            return f"Send a crew of {size}{vote}"
        crew = join_words([names[it] for it in view.crew], "and")
        return "Tend the beacon" if view.is_sent else f"Do you accept {crew}?"

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        match event:
            case Voted(votes, accepted):
                no = join_words([names[it] for it, vote in enumerate(votes) if vote == "no"], "and")
                result = "sails" if accepted else "is refused"
                return f"The crew {result}. No: {no or 'nobody'}."
            case Returned(_, doused, lit):
                return (
                    f"Doused: {plural(doused, 'lamp')}. The beacon is {'lit' if lit else 'dark'}."
                )
        return super().event(event, names, seat)

    def pause(self, event: Event) -> float:
        return 2.0 * isinstance(event, Voted | Returned)


GAME = Beacons()
PLUGIN = Plugin(
    GAME,
    text=BeaconsText(),
    picture=BeaconsPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Send crews to the beacons, and find out who douses the lamps.",
    minutes=20,
    bots={"sailor": Sailor},
    weights={"sailor": {"slips": (0, 100)}},
    levels={"easy": "sailor:slips=50", "fair": "sailor:slips=15", "hard": "sailor"},
)
