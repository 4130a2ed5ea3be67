"""The rules of `examples/chess.py`: counted positions, ends of a game, notation, FEN."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import CommandError, IllegalAction, Match, OptionError, Streams
from tabletop.display import Scene, clickables
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.testing import check_picture, check_words, perft, play

chess: Any = load_file(Path(__file__).parents[2] / "examples" / "chess.py")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
TALKCHESS = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
QUIET = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


def played(moves: str, fen: str = chess.START) -> AnyMatch:
    """A match after these moves."""
    return play(Match(chess.GAME, seed=1, options={"fen": fen}), *moves.split())


def parsed(match: AnyMatch, line: str) -> str:
    """The move that a player means by a line."""
    move: str = chess.PLUGIN.text.parse(match, line)
    return move


SHORT = [(chess.START, (20, 400)), (KIWIPETE, (48, 2039)), (ENDGAME, (14, 191, 2812))]
SHORT += [(PROMOTIONS, (6, 264)), (TALKCHESS, (44, 1486)), (QUIET, (46, 2079))]


@pytest.mark.parametrize(("fen", "counts"), SHORT)
def test_positions_have_as_many_continuations_as_in_other_programs(
    fen: str, counts: tuple[int, ...]
) -> None:
    match = played("", fen)
    assert tuple(perft(match, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "depth", "count"),
    [
        (chess.START, 3, 8902),
        (chess.START, 4, 197_281),
        (KIWIPETE, 3, 97_862),
        (ENDGAME, 4, 43_238),
        (PROMOTIONS, 3, 9467),
        (TALKCHESS, 3, 62_379),
        (QUIET, 3, 89_890),
    ],
)
def test_positions_have_as_many_long_continuations_as_in_other_programs(
    fen: str, depth: int, count: int
) -> None:
    assert perft(played("", fen), depth) == count


@pytest.mark.parametrize(
    ("fen", "moves", "reason", "winners"),
    [
        (chess.START, "f3 e5 g4 Qh4", "checkmate", (1,)),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "Kg6", "stalemate", ()),
        (chess.START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "threefold repetition", ()),
        ("7k/8/8/8/8/8/8/KR6 w - - 99 80", "Rb2", "fifty moves", ()),
        ("7k/8/8/8/8/8/1p6/KB6 w - - 0 1", "Kxb2", "neither side can checkmate", ()),
        ("b6k/8/8/8/8/8/1p6/KB6 w - - 0 1", "Kxb2", "neither side can checkmate", ()),
        ("1b5k/8/8/8/8/8/1p6/KB6 w - - 0 1", "Kxb2", "", ()),
        ("6bk/8/8/8/8/8/1p6/KN6 w - - 0 1", "Kxb2", "", ()),
    ],
)
def test_a_game_ends_as_the_rules_say(
    fen: str, moves: str, reason: str, winners: tuple[int, ...]
) -> None:
    match = played(moves, fen)
    outcome = match.outcome
    assert match.over == (reason != "")
    assert outcome is None or (outcome.reason.startswith(reason) and outcome.winners == winners)


def test_a_checkmate_with_the_hundredth_quiet_ply_wins() -> None:
    match = played("Rb8", "7k/R7/8/8/8/8/8/KR6 w - - 99 80")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_a_position_with_other_castlings_is_not_repeated() -> None:
    fen = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"
    moves = "Ra2 Rh7 Ra1 Rh8 " * 2  # the first position allowed castlings
    assert not played(moves, fen).over
    assert played(moves + "Ra2 Rh7", fen).over


def test_a_square_counts_only_if_a_pawn_can_be_taken_in_passing() -> None:
    assert played("e4").state.passed == ""
    assert played("e4 a6 e5 d5").state.passed == "d6"
    pinned = played("d5", "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1")
    assert pinned.state.passed == ""  # the king would be in check


def test_a_rook_that_is_taken_cannot_castle() -> None:
    match = played("Rxa8+", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert match.state.castling == "Kk"


@pytest.mark.parametrize(
    ("fen", "move", "words"),
    [
        (chess.START, "g1f3", "Nf3"),
        (KIWIPETE, "e1c1", "O-O-O"),
        (KIWIPETE, "d5e6", "dxe6"),
        (PROMOTIONS, "d2d4", "d4"),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "axb8=N"),
        ("7k/8/8/8/8/8/8/RK6 w - - 0 1", "a1a8", "Ra8+"),
        ("7k/R7/8/8/8/8/8/KR6 w - - 0 1", "b1b8", "Rb8#"),
        ("7k/8/8/8/8/8/8/KR4R1 w - - 0 1", "b1e1", "Rbe1"),
        ("8/R6k/8/8/8/8/8/RK6 b - - 0 1", "h7h6", "Kh6"),
        ("8/6k1/8/R7/8/8/8/RK6 w - - 0 1", "a1a3", "R1a3"),
        ("8/7k/8/Q7/8/8/8/QK2Q3 w - - 0 1", "a1c3", "Qa1c3"),
        ("k7/8/8/4B3/8/8/P6K/4B3 w - - 0 1", "e5c3", "B5c3"),
    ],
)
def test_moves_have_short_notation_that_can_be_typed(fen: str, move: str, words: str) -> None:
    match = played("", fen)
    assert chess.san(match.state, move) == words
    assert {parsed(match, line) for line in (words, move, words.rstrip("+#"))} == {move}


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("0-0", "e1g1"),
        ("E1G1", "e1g1"),
        ("nxd7", "e5d7"),
        ("e2-a6", "e2a6"),
        ("e2 a6", "e2a6"),
        ("E2xA6", "e2a6"),
    ],
)
def test_a_move_can_be_typed_in_other_ways(typed: str, move: str) -> None:
    assert parsed(played("", KIWIPETE), typed) == move


def test_a_small_b_is_a_pawn_if_both_are_possible() -> None:
    fen = "7k/8/8/8/2p5/1P1B4/8/K7 w - - 0 1"
    match = played("", fen)
    assert [parsed(match, it) for it in ("bxc4", "Bxc4", "bc4")] == ["b3c4", "d3c4", "b3c4"]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("e4e5", "no piece on e4"),
        ("a1a2", "your own piece is on a2"),
        ("e2e5", "the pawn on e2 cannot go to e5"),
        ("b1d2", "your own piece"),
        ("O-O", "your own piece is on g1"),
        ("0-0", "your own piece is on g1"),
        ("e2-e5", "the pawn on e2 cannot go to e5"),
        ("nd2", "your own piece is on d2"),
    ],
)
def test_a_refused_move_has_its_reason(move: str, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        played(move)


def test_a_move_into_check_and_a_missing_promotion_are_explained() -> None:
    with pytest.raises(IllegalAction, match="in check"):
        played("e2d3", "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1")
    with pytest.raises(IllegalAction, match="a7a8q"):
        played("a7a8", "7k/P7/8/8/8/8/8/K7 w - - 0 1")


def test_a_label_of_several_illegal_moves_is_refused_without_the_reason_of_one() -> None:
    with pytest.raises(CommandError, match="'Rd1' is not possible"):
        played("Rd1", "7k/8/8/8/8/8/7P/RN2KN1R w - - 0 1")


def test_the_squares_of_the_last_move_are_in_brackets_in_the_text() -> None:
    text = chess.PLUGIN.text.position(played("e4").state, ["A", "B"], 1)
    marked = [row for row in text.split("\n") if "[" in row]
    assert marked == ["2 P P P[.]P P P P", "4 . . .[P]. . . ."]


def test_other_words_are_refused() -> None:
    with pytest.raises(CommandError):
        played("Nd5")


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/8/8", "six fields"),
        ("8/8/8/8/8/8/8 w - - 0 1", "7 rows"),
        ("9/8/8/8/8/8/8/kK6 w - - 0 1", "row 8 has 9 squares"),
        ("x7/8/8/8/8/8/8/k1K5 w - - 0 1", "row 8 .* 'x'"),
        ("8/8/8/8/8/8/8/k7 w - - 0 1", "one king"),
        ("P6k/8/8/8/8/8/8/K7 w - - 0 1", "a pawn"),
        ("7k/8/8/8/8/8/8/K7 x - - 0 1", "w or b"),
        ("7k/8/8/8/8/8/8/K6R w K - 0 1", "third field"),
        ("7k/8/8/8/8/8/8/K6R w - e6 0 1", "fourth field"),
        ("7k/8/8/8/8/8/8/K6R w - - 100 1", "last fields"),
        ("7k/8/8/8/8/8/8/K6R w - - 0 1", "is in check"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ],
)
def test_an_impossible_position_is_refused_with_its_fault(fen: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        Match(chess.GAME, seed=1, options={"fen": fen})


def test_the_log_and_the_list_have_short_notation() -> None:
    lines: list[str] = []
    match = played("")
    text = chess.PLUGIN.text
    match.observe(lambda event: lines.append(text.event(event, ["Ann", "Bo"], 1)), seat=1)
    match.play("g1f3")
    assert lines == ["Ann plays Nf3."]
    assert text.label("g8f6", match.state) == "Nf6"


def test_each_player_sees_the_board_from_their_own_side() -> None:
    state = played("").state
    first = [chess.PLUGIN.text.position(state, ["A", "B"], seat).split("\n")[0] for seat in (0, 1)]
    assert first == ["8 r n b q k b n r", "1 R N B K Q B N R"]


@pytest.mark.slow
def test_texts_and_pictures_of_random_games_are_complete() -> None:
    assert check_words(chess.GAME, matches=1, plies=12) > 10
    assert check_picture(chess.GAME, chess.ChessPicture(), matches=1, plies=12) > 20


def test_a_promotion_takes_three_clicks() -> None:
    match = played("", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    picture, view = chess.ChessPicture(), match.view(0)
    choices = clickables(picture, view, match.legal_actions(), match.names, 0, chess.PLUGIN.text)
    paths = {choice.label: choice.path for choice in choices}
    assert paths["axb8=R+"] == ("a7", "b8", "a7b8r")
    scene = Scene(match.names, 0, (0,), choices, live=True)
    assert 'data-part="a7b8r"' in picture.draw(view, scene)


def test_a_king_in_check_is_marked() -> None:
    match = played("e4 f5 Qh5")
    assert chess.ChessPicture().alerts(match.view(1)) == {"e8": "check"}


@pytest.mark.slow
def test_a_bot_looks_at_the_end_of_an_exchange() -> None:
    match = played("", "3rk3/3p4/8/8/8/8/8/3QK3 w - - 0 1")  # the rook protects the pawn
    match.set_player(0, chess.PLUGIN.bot("alphabeta:1", Streams(1)["bot"], 0))
    match.step()
    assert match.actions[-1] != "d1d7"


@pytest.mark.slow
def test_a_search_leaves_out_captures_that_cannot_change_the_choice() -> None:
    match, bot = played("", QUIET), chess.PLUGIN.bot("alphabeta:2", Streams(1)["bot"], 0)
    match.set_player(0, bot)
    match.step()
    assert bot._positions < 2000  # about 5000 if captures are not searched first


def test_the_ratings_of_both_sides_add_up_to_1() -> None:
    state = played("", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1").state
    assert chess.evaluate(state, 0) + chess.evaluate(state, 1) == 1.0


def test_the_most_valuable_captures_are_searched_first() -> None:
    match = played("", "1q5k/P7/1n6/2P5/8/8/8/K7 w - - 0 1")
    loud = chess.loud(match.state, match.legal_actions())
    assert loud[0] == "a7b8q"
    assert loud.index("c5b6") < loud.index("a7a8q")
    assert "c5c6" not in loud


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "fair", "hard"])
def test_a_bot_finds_a_mate_in_one(level: str) -> None:
    match = played("e4 e5 Bc4 Nc6 Qh5 Nf6")
    match.set_player(0, chess.PLUGIN.bot(level, Streams(1)["bot"], 0))
    match.step()
    assert match.outcome is not None
    assert match.outcome.reason == "checkmate"
