"""Whatever people, bots and the clock do, a table keeps its promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.protocol import (
    ActIn,
    ConsentIn,
    DoneOut,
    ExplainIn,
    HintIn,
    LayoutIn,
    LookIn,
    MessageIn,
    MessageOut,
    PassIn,
    PlayAgainIn,
    ProposeIn,
    RedoIn,
    RefusedOut,
    ReseatIn,
    ResignIn,
    RulesIn,
    SampleIn,
    SamplesOut,
    SayIn,
    TableSettings,
    UndoIn,
    encode,
)
from tabletop.records import HUMAN, Header, Journal, read, replay
from tabletop.registry import load
from tabletop.table.inputs import HandOver, Link, Reserve, Wants
from tabletop.table.limits import TableLimits
from tabletop.table.votes import RULES
from tests.tabletop.games.sealed import HIDDEN, WORDS
from tests.tabletop.table.sittings import Sitting

PLUGIN = load("tests/tabletop/games/sealed.py")
NAMES = ("Ada", "Bo", "Cy")
PLAYERS = (HUMAN, HUMAN, "random")
LIMITS = TableLimits(pause=0, away_timeout=50, messages_at_once=10**6, looks_at_once=10**6)
SETTINGS = TableSettings(casual=True, clock=100, increment=1, idle_timeout=30)

links = st.sampled_from([0, 1, None])
seats = st.integers(-1, 3)
numbers = st.integers(1, 99)
lines = st.sampled_from(["show 1", "hide 1", "hide 2", "show 9", "", "ready", "1"])
messages = st.one_of(
    st.builds(ActIn, lines, numbers, st.none() | seats, st.none() | st.integers(0, 9)),
    st.builds(ActIn, st.sampled_from(["hide 1", "show 1"]), numbers),
    st.builds(UndoIn, numbers, st.none() | st.integers(0, 3)),
    st.builds(RedoIn, numbers, st.none() | st.integers(1, 3)),
    st.builds(ConsentIn, st.booleans(), numbers, st.sampled_from(["", *RULES, "other"])),
    st.builds(ProposeIn, st.sampled_from([*RULES, "other"]), numbers),
    st.builds(PassIn, st.booleans(), st.none() | seats, numbers),
    st.builds(ResignIn, numbers, st.none() | st.integers(0, 3)),
    st.builds(ReseatIn, seats, st.sampled_from(["random", HUMAN, "nobody"]), numbers),
    st.builds(SayIn, st.just("well done"), numbers),
    st.builds(LookIn, st.integers(0, 6), numbers),
    st.builds(SampleIn, st.just(1), numbers),
    st.builds(ExplainIn, st.just("hand"), numbers),
    st.builds(LayoutIn, st.sampled_from(["", "wide"])),
    st.sampled_from([HintIn(1), RulesIn(2), PlayAgainIn(3)]),
)


@dataclass(frozen=True)
class Step:
    """Something that happens at a table."""


@dataclass(frozen=True)
class Says(Step):
    link: Link
    message: MessageIn


@dataclass(frozen=True)
class Acts(Step):
    """The person who is to act plays a card."""

    line: str


@dataclass(frozen=True)
class Votes(Step):
    """Somebody asks for an undo, a pause or a draw, and perhaps somebody answers."""

    link: Link
    message: MessageIn
    answers: tuple[bool, ...]


@dataclass(frozen=True)
class Comes(Step):
    link: Link


@dataclass(frozen=True)
class Leaves(Step):
    link: Link


@dataclass(frozen=True)
class Waits(Step):
    seconds: float


@dataclass(frozen=True)
class IsReplaced(Step):
    seat: int


@dataclass(frozen=True)
class Restarts(Step):
    """The server is started again."""


steps = st.lists(
    st.one_of(
        st.builds(Says, links, messages),
        st.builds(Acts, st.sampled_from(["show 1", "hide 1", "hide 2"])),
        st.builds(
            Votes,
            st.sampled_from([0, 1]),
            st.sampled_from([UndoIn(5), ProposeIn("pause", 6), ProposeIn("draw", 8)]),
            st.lists(st.booleans(), max_size=1).map(tuple),
        ),
        st.builds(Comes, links),
        st.builds(Leaves, links),
        st.builds(Waits, st.sampled_from([0, 0.5, 10, 31, 101])),
        st.builds(IsReplaced, st.sampled_from([0, 1])),
        st.just(Restarts()),
    ),
    min_size=5,
    max_size=30,
)


@dataclass
class Play:
    """A table of which everything is recorded, and the words that each link may know."""

    folder: Path
    known: dict[Link, set[str]] = field(default_factory=dict)
    seen: dict[int | None, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.path = self.folder / "match.jsonl"
        match: AnyMatch = Match(PLUGIN.game, seed="oak", seats=list(NAMES))
        game = PLUGIN.game
        header = Header(game.name, game.version, "oak", NAMES, players=PLAYERS)
        self.journal = Journal.create(self.path, match, header, clock=lambda: 0.0)
        self.sitting = self._sitting(match, PLAYERS)
        self.sitting.open(0, 1, None, wants=Wants(data=True))
        self.check()

    def _sitting(self, match: AnyMatch, players: Any, **more: Any) -> Sitting:
        settings = {it: getattr(SETTINGS, it) for it in TableSettings.__struct_fields__}
        seating = {0: [0], 1: [1]}
        return Sitting(
            match,
            PLUGIN,
            players,
            seating=seating,
            limits=LIMITS,
            undo="casual",
            **settings,
            **more,
        )

    def state(self) -> object:
        """Everything that a refused request must not change."""
        at = self.sitting
        match, session = at.match, at.table
        return (
            match.digest(),
            match.actions,
            match.undone,
            match.concessions,
            session.players,
            session.requests.votes.open,
            at.table.requests.hold,
        )

    def do(self, step: Step) -> None:
        at = self.sitting
        match step:
            case Acts(line):
                for seat in {*at.match.to_act}.intersection(at.screens):
                    self.ask(seat, ActIn(line, 1, seat))
                at.wait()
            case Waits(seconds):
                at.wait(seconds)
                assert at.match.over or not {*at.match.lost}.intersection(at.table.people)
            case IsReplaced(seat):
                at.receive(HandOver(seat, "somebody sat down"))
            case Restarts():
                self.restart()
            case Comes(link) if link not in at.screens:
                at.open(link, wants=Wants(data=True))
            case Says() | Votes() | Leaves() if step.link in at.screens:
                self.do_at_screen(step)
        self.check()

    def do_at_screen(self, step: Says | Votes | Leaves) -> None:
        at = self.sitting
        match step:
            case Says(link, message):
                self.ask(link, message)
            case Leaves(link):
                at.close(link)
            case Votes(link, message, answers):
                self.ask(link, message)
                vote = at.table.requests.votes.open
                for seat, yes in zip(vote.waiting if vote else (), answers, strict=False):
                    if seat in at.screens:
                        self.ask(seat, ConsentIn(yes, 7))

    def ask(self, link: Link, message: MessageIn) -> None:
        at, before, actions = self.sitting, self.state(), self.actions
        self.hear()
        at.ask(link, message)
        answers = [it for it in self.hear() if getattr(it, "id", 0) == getattr(message, "id", -1)]
        if any(isinstance(it, RefusedOut) for it in answers):
            assert self.state() == before
        elif isinstance(message, ActIn):
            assert [type(it) for it in answers] == [DoneOut]
            played = at.match.actions[: at.match.ply]
            assert played == actions or (played[:-1] == actions and len(played) > len(actions))

    @property
    def actions(self) -> tuple[object, ...]:
        """The actions that are played and not undone."""
        return self.sitting.match.actions[: self.sitting.match.ply]

    def restart(self) -> None:
        at, links = self.sitting, [*self.sitting.screens]
        digest, state = at.match.digest(), at.table.state(at.now)
        lost = at.match.concessions
        self.close()
        record = read(self.path)
        match: AnyMatch = Match(PLUGIN.game, seed="oak", seats=list(NAMES))
        self.sitting = self._sitting(match, record.players, left=state.clock)
        self.sitting.table.restore(record, state, now=0)
        self.journal = Journal.resume(record, match, clock=lambda: 0.0)
        assert (match.digest(), match.concessions) == (digest, lost)
        after = self.sitting.table.state(0)
        assert after == state
        self.sitting.receive(Reserve([0, 1]))
        self.sitting.open(*links, wants=Wants(data=True))

    def close(self) -> None:
        self.sitting.table.close()
        self.journal.detach()
        self.journal.close()

    # The promises.

    def check(self) -> None:
        at = self.sitting
        deadline, vote = at.table.deadline, at.table.requests.votes.open
        assert deadline is None or deadline >= at.now
        if vote is not None:
            assert vote.waiting
            assert {*vote.waiting} <= {*at.table.people} - {*vote.by}
        assert not at.faults
        self.hear()

    def hear(self) -> list[MessageOut]:
        """Return all due messages, none of which contains a hidden word."""
        at, heard = self.sitting, list[MessageOut]()
        for watcher in (None, *range(3)):
            self.seen.setdefault(watcher, set()).update(words_in(at.match.view(watcher)))
        for link in at.screens:
            known = self.known.setdefault(link, set())
            for seat in (None, *at.table.holders[link].all_seats):
                known |= self.seen[seat]
            for message in at.hear(link):
                heard.append(message)
                if not isinstance(message, SamplesOut):  # which are drawn, and may be true
                    text = encode(message)
                    assert not {word for word in {*WORDS} - known if word in text}
        return heard


def words_in(view: Any) -> Iterator[str]:
    for cards in (view.deck, view.shown, *view.hands, *view.aside):
        yield from (word for word in cards if word != HIDDEN)


@given(steps)
def test_a_table_keeps_its_promises(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        play = Play(Path(folder))
        for step in steps:
            play.do(step)
        match = play.sitting.match
        play.close()
        again = replay(read(play.path), PLUGIN.game)
        assert again.digest() == match.digest(), "an action is lost"
        assert (again.concessions, again.outcome) == (match.concessions, match.outcome)
