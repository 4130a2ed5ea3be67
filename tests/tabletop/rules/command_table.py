"""A command table that uses all features, with its actions."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tabletop import Choice, Command, Commands, Integer, Text, Word


@dataclass(frozen=True)
class Attack:
    minion: int | None
    target: int | None = None


@dataclass(frozen=True)
class Cast:
    spell_name: str
    seat: str | None = None
    zone: int | None = None


@dataclass(frozen=True)
class Say:
    loudness: int
    words: str | None


@dataclass(frozen=True)
class Offer:
    give: int
    want: int


@dataclass(frozen=True)
class Answer:
    accept: bool


@dataclass(frozen=True)
class End:
    pass


@dataclass(frozen=True)
class EndTurn:
    pass


GOODS = {"Wood": 0, "brick": 1, "clay": 1}
COMMANDS = Commands(
    Command(
        "attack",
        Attack,
        Integer("minion", 1, 5),
        Integer("target", -3, 5, optional=True),
        help="Order a minion to attack.",
        aliases=("a",),
    ),
    Command(
        "Cast",
        Cast,
        Word("spell-name"),
        Choice("target", ["left", "right"], optional=True, field="seat"),
        Integer("zone", 0, 10**18 - 1, optional=True),
        together=True,
    ),
    Command("say", Say, Integer("loudness", 0, 9), Text("words"), help="Speak."),
    Command("trade  offer", Offer, Choice("give", GOODS), Choice("want", GOODS)),
    Command("trade answer", Answer, Choice("accept", {"yes": True, "no": False})),
    Command("end", End, help="End the match."),
    Command("end turn", EndTurn, aliases=("pass", "be  Done")),
)
LINE_WORDS = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=8)
RESTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).map(str.strip).filter(bool)
ACTIONS = st.one_of(
    st.builds(Attack, st.integers(1, 5), st.none() | st.integers(-3, 5)),
    st.builds(Cast, LINE_WORDS),
    st.builds(Cast, LINE_WORDS, st.sampled_from(["left", "right"]), st.integers(0, 10**18 - 1)),
    st.builds(Say, st.integers(0, 9), RESTS),
    st.builds(Offer, st.integers(0, 1), st.integers(0, 1)),
    st.builds(Answer, st.booleans()),
    st.builds(End),
    st.builds(EndTurn),
)
