"""Chess, with draws by repetition: tabletop play examples/chess.py --bot 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from tabletop import (
    ALL,
    Game,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    State,
    Streams,
    Table,
    Watcher,
    state,
)
from tabletop.display import (
    BoardPicture,
    Piece,
    Scene,
    TextView,
    squares,
)
from tabletop.parts.board import (
    DIAGONAL,
    EIGHT,
    FOUR,
    KNIGHT,
    short_move,
    slide,
    square,
)

# Squares are numbered by row from a8. White pieces are capital letters, free squares are dots.

GRID = square(8, 8)
NAMES, PLACE = GRID.names, GRID.place
FREE = "."
MEN = ("PNBRQK", "pnbrqk")
WORDS = dict(zip(MEN[1], ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

RAYS = {
    "n": GRID.rays(KNIGHT, 1),
    "b": GRID.rays(DIAGONAL),
    "r": GRID.rays(FOUR),
    "q": GRID.rays(EIGHT),
    "k": GRID.rays(EIGHT, 1),
}
LINES = [frozenset(chain(*rays)) for rays in RAYS["q"]]
AHEAD = (-8, 8)
TAKES = [[[*chain(*rays)] for rays in GRID.rays(((-1, y), (1, y)), 1)] for y in (-1, 1)]
# The king, the squares between, and the rook.
CASTLES = {"K": "e1 f1 g1 h1", "Q": "e1 d1 c1 b1 a1", "k": "e8 f8 g8 h8", "q": "e8 d8 c8 b8 a8"}
ROWS = {right: tuple(PLACE[name] for name in row.split()) for right, row in CASTLES.items()}

EVERY_MOVE = [
    NAMES[start] + NAMES[goal]
    for start in range(64)
    for goal in sorted(chain(*RAYS["q"][start], *RAYS["n"][start]))
]
EVERY_MOVE += [
    f"{NAMES[start]}{NAMES[goal]}{man}"
    for seat, row in enumerate((1, 6))
    for start in range(8 * row, 8 * row + 8)
    for goal in [start + AHEAD[seat], *TAKES[seat][start]]
    for man in "qrbn"
]

Key: TypeAlias = tuple[str, Seat, str, str]
"""The board, the seat to act, the possible castlings, and the square to take in passing."""


@state
class Position(State):
    """A position.

    Attributes:
        board: The piece on each square.
        castling: The castlings whose king and rook have not moved, such as `KQkq`.
        passed: The square where a pawn can be taken in passing, or "".
        quiet: The actions since the last capture or move of a pawn.
        seen: A digest of each position since the last capture or move of a pawn.
        last: The last move, or "".
        ending: The reason for the end, or "".
    """

    board: str
    seat: Seat = 0
    castling: str = ""
    passed: str = ""
    quiet: int = 0
    seen: list[str] = field(default_factory=list)
    last: str = ""
    ending: str = ""

    @property
    def key(self) -> Key:
        return self.board, self.seat, self.castling, self.passed


@lru_cache(maxsize=1 << 12)
def moves(board: str, seat: Seat, castling: str, passed: str) -> Mapping[str, str]:
    """Return the board after each legal move, by its text."""
    return dict(legal(board, seat, castling, passed))


def legal(board: str, seat: Seat, castling: str, passed: str) -> Iterator[tuple[str, str]]:
    """Yield each legal move and the board after it."""
    king = board.index(MEN[seat][5])
    checked = is_attacked(board, king, 1 - seat)
    castled = () if checked else castlings(board, seat, castling)
    for start, goal in (*steps(board, seat, passed), *castled):
        after, text = moved(board, start, goal, passed), NAMES[start] + NAMES[goal]
        # Most moves cannot leave the king in check.
        is_risky = checked or start == king or start in LINES[king] or NAMES[goal] == passed
        if is_risky and is_attacked(after, goal if start == king else king, 1 - seat):
            continue
        if board[start] in "Pp" and goal // 8 in (0, 7):
            for man in "qrbn":
                yield text + man, put(after, goal, man.upper() if seat == 0 else man)
        else:
            yield text, after


def steps(board: str, seat: Seat, passed: str) -> Iterator[tuple[int, int]]:
    """Yield the start and goal of each move except castlings, even if the king could be taken."""
    own = MEN[seat]
    for start, man in enumerate(board):
        if man == own[0]:
            yield from steps_of_pawn(board, seat, passed, start)
        elif man in own:
            for goal in slide(RAYS[man.lower()][start], board, FREE):
                if board[goal] not in own:
                    yield start, goal


def steps_of_pawn(board: str, seat: Seat, passed: str, start: int) -> Iterator[tuple[int, int]]:
    ahead = AHEAD[seat]
    for goal in TAKES[seat][start]:
        if board[goal] in MEN[1 - seat] or NAMES[goal] == passed:
            yield start, goal
    if board[start + ahead] == FREE:
        yield start, start + ahead
        if start // 8 == (6, 1)[seat] and board[start + 2 * ahead] == FREE:
            yield start, start + 2 * ahead


def castlings(board: str, seat: Seat, castling: str) -> Iterator[tuple[int, int]]:
    """Yield the castlings, even if the king could be taken on its goal."""
    for right in castling:
        king, beside, goal, *more = ROWS[right]
        free = right in MEN[seat] and all(board[at] == FREE for at in (beside, goal, *more[:-1]))
        if free and not is_attacked(board, beside, 1 - seat):
            yield king, goal


def moved(board: str, start: int, goal: int, passed: str) -> str:
    """Return the board after a move. A pawn on the last row becomes a queen."""
    man, after = board[start], put(put(board, start, FREE), goal, board[start])
    if man in "Pp" and goal // 8 in (0, 7):
        return put(after, goal, "Q" if man == "P" else "q")
    if man in "Pp" and NAMES[goal] == passed:
        return put(after, start // 8 * 8 + goal % 8, FREE)
    if man in "Kk" and abs(start - goal) == 2:
        corner = start + 3 if goal > start else start - 4
        return put(put(after, corner, FREE), (start + goal) // 2, board[corner])
    return after


def put(board: str, place: int, man: str) -> str:
    return board[:place] + man + board[place + 1 :]


def is_attacked(board: str, place: int, seat: Seat) -> bool:
    """Return whether a piece of a seat attacks a square."""
    if any(board[at] == MEN[seat][0] for at in TAKES[1 - seat][place]):
        return True
    return any(
        board[at] == man
        for man in MEN[seat][1:]
        for at in slide(RAYS[man.lower()][place], board, FREE)
    )


def is_check(state: Position) -> bool:
    """Return whether the king of the seat to act is attacked."""
    return is_attacked(state.board, state.board.index(MEN[state.seat][5]), 1 - state.seat)


def play(state: Position, move: str) -> None:
    """Play a legal move."""
    start, goal = PLACE[move[:2]], PLACE[move[2:4]]
    pawn = state.board[start] in "Pp"
    if pawn or state.board[goal] != FREE:
        state.quiet, state.seen = -1, []
    state.board = moves(*state.key)[move]
    state.castling = "".join(
        right for right in state.castling if not {start, goal} & {ROWS[right][0], ROWS[right][-1]}
    )
    state.passed = NAMES[(start + goal) // 2] if pawn and abs(start - goal) == 16 else ""
    state.quiet, state.last = state.quiet + 1, move
    state.seat = 1 - state.seat
    settle(state)


def settle(state: Position) -> None:
    """Note a new position, and end the match if the rules require it."""
    if state.passed and not any(takes_in_passing(state, move) for move in moves(*state.key)):
        state.passed = ""
    digest = blake2b(repr(state.key).encode(), digest_size=8).hexdigest()
    state.seen.append(digest)
    if next(legal(*state.key), None) is None:
        state.ending = "checkmate" if is_check(state) else "stalemate"
    elif is_dead(state.board):
        state.ending = "neither side can checkmate"
    elif state.seen.count(digest) == 3:
        state.ending = "threefold repetition"
    elif state.quiet == 100:
        state.ending = "fifty moves without a capture or a move of a pawn"


def takes_in_passing(state: Position, move: str) -> bool:
    return move[2:4] == state.passed and state.board[PLACE[move[:2]]] in "Pp"


def is_dead(board: str) -> bool:
    """Return whether no side can checkmate: with one bishop or knight, or bishops of one colour."""
    men = [
        (man.lower(), sum(GRID.cells[at]) % 2) for at, man in enumerate(board) if man not in ".Kk"
    ]
    return men in ([], [("n", 0)], [("n", 1)]) or set(men) in ({("b", 0)}, {("b", 1)})


def read_fen(text: str) -> Position:
    """Return the position of a text in Forsyth-Edwards notation.

    Raises:
        ValueError: The text is not a possible position. The message describes the fault.
    """
    fields = text.split()
    refuse((len(fields) != 6, f"a position has six fields, such as {START}"))
    rows, turn, rights, passed, quiet, number = fields
    board = GRID.parse(rows, "".join(MEN))
    refuse(
        ((board.count("K"), board.count("k")) != (1, 1), "each side needs one king"),
        ({"P", "p"} & {*board[:8], *board[-8:]}, "a pawn cannot be on the first or the last row"),
        (turn not in ("w", "b"), "the second field is w or b, for the side to move"),
    )
    seat, castling = "wb".index(turn), rights.replace("-", "")
    able = [
        right
        for right, row in ROWS.items()
        if board[row[0]] + board[row[-1]] == ("KR" if right.isupper() else "kr")
    ]
    pawn = PLACE.get(passed, 0) - AHEAD[seat]
    behind = passed[1:] == "63"[seat] and board[pawn] == MEN[1 - seat][0]
    king = board.index(MEN[1 - seat][5])
    counts = quiet.isdecimal() and int(quiet) < 100 and number.isdecimal() and int(number) > 0
    refuse(
        (not {*castling} <= {*able}, f"the third field is - or some of {''.join(able) or '-'}"),
        (passed != "-" and not behind, "the fourth field is - or a square behind a pawn"),
        (not counts, "the last fields are the plies without a capture, and the number of the move"),
        (is_attacked(board, king, seat), "the side that is not to move is in check"),
    )
    start = Position(board, seat, castling, passed if behind else "", int(quiet))
    settle(start)
    refuse((start.ending, f"the game is over in this position: {start.ending}"))
    return start


def refuse(*faults: tuple[object, str]) -> None:
    for is_wrong, reason in faults:
        if is_wrong:
            raise ValueError(reason)


FEN = Option("fen", START, "The first position, in Forsyth-Edwards notation.", read=read_fen)


class Chess(Game[Position, str]):
    """The player who checkmates the king of the other player wins."""

    name = "chess"
    title = "Chess"
    seat_names = ("White", "Black")
    options = (FEN,)

    def setup(self, options: Options, seats: int, rng: Streams) -> Position:
        return read_fen(FEN.of(options))

    def to_act(self, state: Position) -> Sequence[Seat]:
        return () if state.ending else (state.seat,)

    def legal_actions(self, state: Position, seat: Seat) -> Sequence[str]:
        return [*moves(*state.key)]

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return EVERY_MOVE

    def search_key(self, state: Position) -> Key:
        return state.key

    def apply(self, state: Position, action: str, table: Table) -> None:
        play(state, action)

    def outcome(self, state: Position) -> Outcome | None:
        if state.ending == "checkmate":
            return Outcome.win(1 - state.seat, 2, state.ending)
        return Outcome.draw(2, state.ending) if state.ending else None

    def why_not(self, state: Position, action: str) -> str:
        start, goal, board = PLACE[action[:2]], PLACE[action[2:4]], state.board
        if board[start] not in MEN[state.seat]:
            return f"you have no piece on {action[:2]}"
        if board[goal] in MEN[state.seat]:
            return f"your own piece is on {action[2:4]}"
        if (start, goal) not in steps(board, state.seat, state.passed):
            return f"the {WORDS[board[start].lower()]} on {action[:2]} cannot go to {action[2:4]}"
        if action[:4] + "q" in moves(*state.key):
            return f"add the letter of the new piece, as in {action[:4]}q"
        return "your king would be in check"


def san(state: Position, move: str) -> str:
    """Return a move in short notation, such as `Nbd7` or `exd8=Q+`."""
    board, start, goal = state.board, PLACE[move[:2]], PLACE[move[2:4]]
    if board[start] not in MEN[state.seat]:
        return move
    man = board[start].upper()
    if man == "K" and abs(start - goal) == 2:
        words = "O-O" if goal > start else "O-O-O"
    else:
        same = [it for it in moves(*state.key) if board[PLACE[it[:2]]] == board[start]]
        rivals = [it[:2] for it in same if it[2:] == move[2:]]
        takes = move[0] != move[2] if man == "P" else board[goal] != FREE
        words = short_move(man.strip("P"), move[:2], move[2:4], rivals, takes=takes)
        words += f"={move[4].upper()}" if move[4:] else ""
    if move not in moves(*state.key):
        return words
    after = state.clone()
    play(after, move)
    return words + ("#" if after.ending == "checkmate" else "+" if is_check(after) else "")


class ChessText(TextView[Position]):
    """The board with coordinates, from the side of the reader, and moves in short notation."""

    verbs: ClassVar = {"": "plays {}"}

    def position(self, view: Position, names: Sequence[str], seat: Watcher = ALL) -> str:
        board = GRID.diagram(view.board, turned=seat == 1, last=view.last)
        sides = f"{names[0]} has PNBRQK, {names[1]} has pnbrqk"
        check = f"{names[view.seat]} is in check" if is_check(view) else ""
        return "\n".join(filter(None, [board, sides, check]))

    # --8<-- [start:label]
    def label(self, action: str, view: Position) -> str:
        return san(view, action)

    # --8<-- [end:label]

    def called(self, names: Sequence[str]) -> Sequence[str]:
        sides = zip(names, Chess.seat_names, strict=True)
        return [side if name == side else f"{name} ({side})" for name, side in sides]


# --8<-- [start:picture]
class ChessPicture(BoardPicture[Position]):
    """The board from the side of the viewer."""

    board = squares(GRID, chequered=True)
    fills = ("#fcf8ef", "#29241f")
    turns = True

    def pieces(self, view: Position) -> Mapping[str, Sequence[Piece]]:
        return self.pieces_of(view.board, WORDS)

    def option(self, words: str, view: Position) -> Piece | None:
        man = words[4:]
        return Piece(view.seat, art=WORDS[man]) if man else None

    def alerts(self, view: Position) -> Mapping[str, str]:
        king = NAMES[view.board.index(MEN[view.seat][5])]
        return {king: view.ending or "check"} if is_check(view) else {}

    # --8<-- [end:picture]

    def note(self, view: Position, scene: Scene) -> str:
        return view.ending or ("check" if is_check(view) else "")

    def tally(self, view: Position, seat: Seat) -> str:
        own, other = (sum(VALUES[man.lower()] for man in view.board if man in men) for men in MEN)
        lead = other - own if seat else own - other
        return f"(+{lead // 100})" if lead > 99 else ""


VALUES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0, FREE: 0}
CENTRE = [int(14 - 4 * max(abs(x - 3.5), abs(y - 3.5))) for x, y in GRID.cells]
WEIGHTS = {"p": 1, "n": 3, "b": 2, "r": 0, "q": 1, "k": -3, FREE: 0}
"""The worth of a step towards the centre. A king is safer at the edge, while there are queens."""


def worth(man: str, at: int, *, late: bool) -> int:
    """Return the value of a man on a square for White."""
    kind = man.lower()
    value = VALUES[kind] + CENTRE[at] * (3 if late and kind == "k" else WEIGHTS[kind])
    if kind == "p":
        value += 5 * (6 - at // 8 if man == "P" else at // 8 - 1)
    return -value if man.islower() else value


TABLE = {
    late: {man: [worth(man, at, late=late) for at in range(64)] for man in (*MEN[0], *MEN[1])}
    for late in (False, True)
}


def balance(board: str) -> int:
    """Return the value of all men for White, in hundredths of a pawn."""
    table = TABLE["q" not in board.lower()]
    return sum(table[man][at] for at, man in enumerate(board) if man != FREE)


def evaluate(state: Position, seat: Seat) -> float:
    """Rate a position for search bots."""
    lead = -balance(state.board) if seat else balance(state.board)
    return 0.5 + lead / (2 * abs(lead) + 1000)


def loud(state: Position, actions: Sequence[str]) -> Sequence[str]:
    """Return the captures and promotions, the most valuable victims first."""

    def gain(move: str) -> int:
        man, victim = (VALUES[state.board[PLACE[it]].lower()] for it in (move[:2], move[2:4]))
        return 9 * victim - man

    takes = [it for it in actions if it[4:] or state.board[PLACE[it[2:4]]] != FREE]
    return sorted(takes, key=gain, reverse=True)


GAME = Chess()


class Planes:
    """The observation of learning programs: twelve boards, one for each kind of piece.

    They are followed by the seat to act, the possible castlings, and the square to take in passing.
    """

    size = 12 * 64 + 1 + 4 + 64
    low, high = (0,) * size, (1,) * size

    def encode(self, view: Position, seat: Seat | None, out: Any) -> Any:
        out[:] = 0
        for at, man in enumerate(view.board):
            if man != FREE:
                out[64 * "PNBRQKpnbrqk".index(man) + at] = 1
        out[768] = view.seat
        for place, right in enumerate("KQkq", 769):
            out[place] = right in view.castling
        if view.passed:
            out[773 + PLACE[view.passed]] = 1
        return out


PLUGIN = Plugin(
    GAME,
    text=ChessText(),
    picture=ChessPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Checkmate the king of your opponent.",
    minutes=30,
    evaluate=evaluate,
    loud=loud,
    encoder=Planes(),
)
