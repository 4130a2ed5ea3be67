"""The game `Constructor`, which connects the rules to the framework (Constructor §3, §4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from constructor.rules import legal, production, reasons
from constructor.rules.actions import ALL_COMMANDS, Action, parse
from constructor.rules.apply_actions import MOVES
from constructor.rules.board import BOARDS, STANDARD, Board, register
from constructor.rules.layouts import (
    default_layout,
    format_layout,
    parse_layout,
    pips,
    random_layout,
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
from tabletop import Game, Option, OptionError, Options, Outcome, Seat, Streams, Table
from tabletop.host import TextFileError
from tabletop.rng import Vocabulary
from tabletop.rules import CatalogValue, snake

if TYPE_CHECKING:
    from tabletop import Match

PACKAGED: Final = tuple(BOARDS)  # names of the boards of this package

_TURNS: Final = tuple((seat,) for seat in range(len(COLOURS)))

BUILDINGS: Final = ("Road", "Residence", *(residence.name.title() for residence in RESIDENCES))
"""Names of the buildings (Constructor §2.4.1, §2.6)."""

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

RANDOM_BOARD: Final = Option("random-board", default=False, help="Deal the tiles at random.")
LAYOUT: Final = Option(
    "layout",
    kind=str,
    label="Layout of the tiles",
    help="The tiles, in the format of layout files.",
)
LOAD: Final = Option(
    "load", kind=str, label="Saved game", help="The game to resume, in the format of saves."
)
PATIENCE: Final = Option(
    "patience",
    default=200,
    low=0,
    label="End after idle turns",
    help="End the game after this number of turns without building (0: no limit).",
)
VARIANT: Final = Option(
    "variant",
    default="standard",
    choices=tuple(production.VARIANTS),
    label="Tiles",
    help="Whether tiles can be improved (rich), run dry (scarce), or both (living).",
)
FAIR: Final = Option(
    "fair",
    default=True,
    label="Fair dice only",
    help="Only fair dice. Otherwise builders start with loaded dice and can change dice.",
)
OPTIONS: Final = (RANDOM_BOARD, LAYOUT, LOAD, PATIENCE, VARIANT, FAIR)
"""Options of a match. A save takes precedence over a layout, and a layout over a random board.

Under the rules of the document, a game never ends if no builder can get the resources to build.
Players notice this, but simulations do not, so `patience` ends such games. The program
`constructor` sets no limit for games with human players.
"""


class Constructor(Game[ConstructorState, Action]):
    """The rules of Constructor, in which the first builder with 10 building points wins.

    The whole state is public.

    Args:
        board: The board to play on.
        seats: The possible numbers of builders, from 1 to 4.

    Raises:
        ValueError: A different board has the same name, or a number of builders is out of range.
    """

    title = "Constructor"
    version = "2"
    options = OPTIONS
    commands = ALL_COMMANDS
    words = WORDS
    seat_names = COLOURS
    catalog_options = MappingProxyType({"random-board": True, "fair": True})
    lists_every_action = False  # a trade of a kind for itself is not worth listing

    def __init__(self, board: Board = STANDARD, *, seats: range = range(4, 5)) -> None:
        if not seats or not {*seats} <= {*range(1, len(COLOURS) + 1)}:
            raise ValueError(f"seats={seats}: write a range of numbers from 1 to {len(COLOURS)}")
        self.seats = seats
        self.board = register(board)
        self.name = "constructor" if board == STANDARD else f"constructor-{board.name}"
        if board != STANDARD:
            self.title = f"Constructor, {board.name} board"
        self._actions = legal.ActionTable(board)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore the game and register its board, which may be unknown to this process."""
        vars(self).update(state)
        register(self.board)

    @override
    def names_of_things(self) -> Iterable[str]:
        """Return the names of builders, buildings, tiles, resources, boards and variants."""
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
        # Without the option, dice are loaded at the beginning. Saves do not contain dice (§3.7).
        state.fair = [state.fair_only] * seats
        return state

    def _new_state(self, options: Options, seats: int, rng: Streams) -> ConstructorState:
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
        if state.phase is Phase.OVER:
            return ()
        if state.phase is Phase.SETUP:
            return _TURNS[state.order[0]]
        return _TURNS[state.turn if state.offer is None else state.offer.seat]

    @override
    def legal_actions(self, state: ConstructorState, seat: Seat) -> Sequence[Action]:
        return legal.legal_actions(state, self._actions)

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[Action]:
        variant = production.VARIANTS[VARIANT.of(options)]
        rich = variant.rich or LOAD.of(options) is not None  # a save may set another variant
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
            cause = f"nobody has built for {state.idle} turns" if idle else "all tiles have run dry"
            reason = f"{reason}; {cause}"
        return Outcome.by_score(points, reason)

    @override
    def catalog(self, match: Match[ConstructorState, Action]) -> Mapping[str, CatalogValue]:
        """Return the pips of each resource, the resources with the most pips, and the layout."""
        tiles = match.state.tiles
        sums = {
            kind.name: sum(pips(tile) for tile in tiles if tile.kind is kind)
            for kind in Resource
            if kind is not Resource.PARK
        }
        most = "+".join(name for name, sum_ in sums.items() if sum_ == max(sums.values()))
        columns: dict[str, CatalogValue] = {f"{name}_pips": sum_ for name, sum_ in sums.items()}
        return {**columns, "most": most, "layout": format_layout(tiles)}

    @override
    def parse(self, text: str, state: ConstructorState, seat: Seat) -> Action:
        return parse(text, state.phase)
