"""The rules: who decides what, what is possible, and what it leads to (Constructor §3, §4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from typing_extensions import override

from constructor.rules import legal, production, reasons
from constructor.rules.actions import ALL_COMMANDS, MOMENTS, Action, parse
from constructor.rules.apply_actions import MOVES
from constructor.rules.board import BOARDS, STANDARD, Board, register
from constructor.rules.layouts import (
    default_layout,
    parse_layout,
    pips,
    random_layout,
    spell_layout,
)
from constructor.rules.saves import parse_save
from constructor.rules.state import (
    COLOURS,
    RESIDENCES,
    WINNING_POINTS,
    ConstructorState,
    Phase,
    Resource,
    empty_state,
)
from tabletop import Game, Match, Option, OptionError, Options, Outcome, Seat, Streams, Table
from tabletop.host import TextFileError
from tabletop.rng import Vocabulary
from tabletop.rules import CatalogValue, snake

PACKAGED: Final = tuple(BOARDS)
"""The boards that come with the package; others are registered when their game is made."""

_BUILDING: Final = Phase.BUILDING
_ANSWERING: Final = Phase.ANSWERING

_TURNS: Final = tuple((seat,) for seat in range(len(COLOURS)))

BUILDINGS: Final = ("Road", "Residence", *(it.name.title() for it in RESIDENCES))
"""The buildings (Constructor §2.4.1, §2.6)."""

WORDS: Final = Vocabulary(
    adjectives=(
        *("building", "improving", "trading", "stealing", "rolling", "loaded", "fair", "random"),
        *("adjacent", "improved", "saved", "winning", "losing", "longest", "connected"),
        *("occupied", "hexagonal", "rectangular", "outer", "inner", "initial", "stolen"),
        *("traded", "offered", "accepted", "declined", "rolled", "dealt", "chosen", "hungry"),
        *("migrating", "noisy", "wealthy", "productive", "barren"),
    ),
    nouns=(
        *("geese", "trade", "dice", "layout", "corner", "edge", "vertex", "point", "resource"),
        *("roll", "turn", "save", "value", "hand", "winner", "street", "offer", "bargain"),
        *("flock", "goose", "thief", "purse", "campus", "tenant", "student", "developer"),
        *("foundation", "neighbour"),
    ),
)
"""Words for seed phrases, in addition to those of `names_of_things`."""

RANDOM_BOARD: Final = Option(
    "random-board", default=False, help="Deal the tiles at random (Constructor §3.5.5)."
)
LAYOUT: Final = Option(
    "layout", kind=str, help="The layout, as a layout file has it (Constructor §3.8)."
)
LOAD: Final = Option(
    "load", kind=str, help="The game to go on with, as a save has it (Constructor §3.7)."
)
PATIENCE: Final = Option(
    "patience",
    default=200,
    low=0,
    help="End the game after so many turns in which nobody builds; 0 for never.",
)
VARIANT: Final = Option(
    "variant",
    default="standard",
    choices=tuple(production.VARIANTS),
    help="Whether tiles can be improved (rich), run dry (scarce), or both (living).",
)
FAIR: Final = Option(
    "fair", default=False, help="Everybody has fair dice, and nobody may take loaded ones."
)
OPTIONS: Final = (RANDOM_BOARD, LAYOUT, LOAD, PATIENCE, VARIANT, FAIR)
"""The options of a match. A save wins over a layout, and a layout over a random board.

By the document's rules a game can be stuck for good: nobody can get what anybody lacks. People
notice that; simulations do not, so that they end by `patience`. The program `constructor` has none,
but for bots among themselves, and for the matches of the week and the day.
"""


class Constructor(Game[ConstructorState, Action]):
    """Builders on a board of tiles; the first with 10 building points wins.

    All of it is public but the dice to come.

    Args:
        board: where it is played.
        name: the name of the game; with another board, by default, that board's name is added.
            The title says the board as well.
        seats: how many can play: a range of numbers, none beyond the four colours.

    Raises:
        ValueError: another board has the same name, or so many cannot play.
    """

    title = "Constructor"
    version = "2"
    options = OPTIONS
    commands = ALL_COMMANDS
    words = WORDS
    catalog_options = MappingProxyType({"random-board": True, "fair": True})
    lists_every_action = False  # a trade of a kind for itself is not worth listing

    def __init__(
        self, board: Board = STANDARD, *, name: str = "", seats: range = range(4, 5)
    ) -> None:
        if not seats or not {*seats} <= {*range(1, len(COLOURS) + 1)}:
            raise ValueError(f"{seats} is no range of numbers of builders from 1 to {len(COLOURS)}")
        self.seats = seats
        self.board = register(board)
        self.name = name or ("constructor" if board == STANDARD else f"constructor-{board.name}")
        if board != STANDARD:
            self.title = f"Constructor, {board.name} board"
        self._actions = legal.action_table(board)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Register a custom board where the game is unpickled as well."""
        vars(self).update(state)
        register(self.board)

    @override
    def names_of_things(self) -> Iterable[str]:
        """Builders, what they build and of what colour, tiles by resource, boards and variants."""
        yield from (f"{colour} {thing}" for colour in COLOURS for thing in ("Builder", *BUILDINGS))
        yield from (f"{kind.name.title()} Tile" for kind in Resource)  # ENERGY is all capitals
        yield from (kind.name.title() for kind in Resource)
        yield from (f"{name} Board" for name in dict.fromkeys([*PACKAGED, self.board.name]))
        yield from (f"{name} Variant" for name in production.VARIANTS)

    @override
    def setup(self, options: Options, seats: int, rng: Streams) -> ConstructorState:
        save = LOAD.of(options)
        try:
            if save is not None:
                state = parse_save(save, self.board, seats=seats)
            else:
                state = self._new_state(options, seats, rng)
        except TextFileError as error:
            which = "layout" if save is None else "load"
            raise OptionError(f"option {which}: {error}") from error
        state.patience = PATIENCE.of(options)
        state.fair_only = FAIR.of(options)
        state.fair = [state.fair_only] * seats  # dice begin loaded, and no save holds them (§3.7)
        return state

    def _new_state(self, options: Options, seats: int, rng: Streams) -> ConstructorState:
        """Return the state in which the first basement is to be chosen."""
        name, layout = VARIANT.of(options), LAYOUT.of(options)
        if layout is not None:
            tiles = parse_layout(layout, self.board)
        elif RANDOM_BOARD.of(options) or self.board != STANDARD:
            tiles = random_layout(self.board, rng["board"])
        else:
            tiles = parse_layout(default_layout(), self.board)
        tiles = production.stock(tiles, production.VARIANTS[name])
        state = empty_state(self.board, tiles, seats, name)
        state.phase = Phase.SETUP
        state.order = snake(seats)
        return state

    @override
    def to_act(self, state: ConstructorState) -> Sequence[Seat]:
        phase = state.phase
        if phase is _BUILDING:  # as for every second decision
            return _TURNS[state.turn]
        if phase is _ANSWERING and state.offer is not None:
            return _TURNS[state.offer.seat]
        if phase is Phase.OVER:
            return ()
        return _TURNS[state.order[0] if phase is Phase.SETUP else state.turn]

    @override
    def legal_actions(self, state: ConstructorState, seat: Seat) -> Sequence[Action]:
        return legal.legal_actions(state, self._actions)

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[Action]:
        variant = production.VARIANTS[VARIANT.of(options)]
        rich = variant.rich or LOAD.of(options) is not None  # a save has a variant of its own
        return legal.all_actions(self._actions, seats, rich=rich)

    @override
    def check(self, state: ConstructorState, action: Action) -> Action | None:
        return None if legal.is_pointless(state, action) else super().check(state, action)

    @override
    def why_not(self, state: ConstructorState, action: Action) -> str:
        return reasons.why_not(state, self._actions, action)

    @override
    def apply(self, state: ConstructorState, action: Action, table: Table) -> None:
        MOVES[type(action)](state, self.board, action, table)

    @override
    def outcome(self, state: ConstructorState) -> Outcome | None:
        if state.phase is not Phase.OVER:
            return None
        points = [state.points(seat) for seat in range(state.seats)]
        reason = f"{max(points)} building points"
        if max(points) < WINNING_POINTS:
            idle = state.patience and state.idle >= state.patience
            why = f"nobody has built for {state.idle} turns" if idle else "all tiles have run dry"
            reason = f"{reason}; {why}"
        return Outcome.by_score(points, reason)

    @override
    def catalog(self, match: Match[ConstructorState, Action]) -> Mapping[str, CatalogValue]:
        """Return the pips of every resource, the resources with the most, and the layout's text."""
        tiles = match.state.tiles
        sums = {
            kind.name: sum(pips(tile) for tile in tiles if tile.kind is kind)
            for kind in Resource
            if kind is not Resource.PARK
        }
        most = "+".join(name for name, sum_ in sums.items() if sum_ == max(sums.values()))
        columns: dict[str, CatalogValue] = {f"{name}_pips": sum_ for name, sum_ in sums.items()}
        return {**columns, "most": most, "layout": spell_layout(tiles)}

    @override
    def parse(self, text: str, state: ConstructorState, seat: Seat) -> Action:
        # Records are read by it: whole words are looked up, and only other lines are parsed.
        known = self._by_text[state.phase].get(text)
        return parse(text, state.phase) if known is None else known

    @cached_property
    def _by_text(self) -> Mapping[Phase, Mapping[str, Action]]:
        """The shared actions of each phase by their texts."""
        texts: dict[Phase, dict[str, Action]] = {phase: {} for phase in Phase}
        for action in legal.all_actions(self._actions, len(COLOURS), rich=True):
            texts[MOMENTS[type(action)]][str(action)] = action
        return texts
