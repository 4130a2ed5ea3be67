"""Saved games in the document's format (Constructor §3.7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.constructor.programs import RICH, at_work, run_here
from tests.constructor.tables import (
    BLUE,
    BRICK,
    GAMES,
    ORANGE,
    RED,
    TILES,
    WIFI,
    YELLOW,
    position,
    reached,
)

from constructor import (
    SMALL,
    STANDARD,
    Action,
    ConstructorState,
    Phase,
    Tile,
    parse_save,
    write_save,
)
from constructor.rules.production import VARIANTS, stock
from constructor.rules.state import WINNING_POINTS
from tabletop import Match, OptionError
from tabletop.host import TextFileError

SAVE = (Path(__file__).with_name("data") / "savefile.txt").read_text("utf-8")
LINES = SAVE.splitlines()
LAYOUT_LINE = LINES[5]


def changed(line: int, text: str) -> str:
    """Return the course's save with another text in `line`, counted from 1."""
    return "\n".join([*LINES[: line - 1], text, *LINES[line:]]) + "\n"


def changes(variant: str, tile: int, change: str) -> str:
    """Return the line of a variant in which one tile has changed."""
    tiles = stock(TILES, VARIANTS[variant])
    words = ["-:-" if tile.left is None else f"-:{tile.left}" for tile in tiles]
    words[tile] = change
    return " ".join(["variant", variant, *words]) + "\n"


def as_saved(state: ConstructorState) -> ConstructorState:
    """Return the state that a save represents: the beginning of a turn with loaded dice."""
    saved = state.clone()
    seats = range(state.seats)
    won = max(map(state.points, seats)) >= WINNING_POINTS
    saved.phase = Phase.OVER if won else Phase.BEGINNING
    saved.fair = [False] * state.seats
    saved.order, saved.offer, saved.refused = (), None, ()
    saved.patience = saved.idle = 0
    saved.built = [edge for seat in seats for edge in state.roads_of(seat)]
    saved.settled = [vertex for seat in seats for vertex in state.homes_of(seat)]
    return saved


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_every_save_loads_to_an_equal_state(match: Match[ConstructorState, Action]) -> None:
    state = match.state
    text = write_save(state)
    loaded = parse_save(text, state.topology, seats=state.seats)
    assert loaded == as_saved(state)
    assert write_save(loaded) == text


def test_the_save_of_the_course_loads() -> None:
    state = parse_save(SAVE, STANDARD)
    assert (state.turn, state.phase, state.geese) == (BLUE, Phase.BEGINNING, 7)
    assert state.tiles == TILES
    assert state.hand(ORANGE) == [11, 0, 0, 0, 0]
    assert state.roads_of(BLUE) == [38, 47, 43]
    assert state.homes_of(BLUE) == [37, 25, 30]
    assert [state.levels[vertex] for vertex in (37, 25, 30)] == [3, 3, 1]
    assert [state.points(seat) for seat in range(4)] == [7, 3, 3, 4]


def test_saving_a_loaded_game_only_removes_trailing_spaces() -> None:
    wanted = "".join(line.rstrip() + "\n" for line in LINES)
    assert write_save(parse_save(SAVE, STANDARD)) == wanted


def test_a_builder_is_saved_as_the_document_shows() -> None:
    state = position(
        homes={10: (RED, 1), 15: (RED, 3), 27: (RED, 2)},
        roads={36: RED, 16: RED, 19: RED},
        hands={RED: (1, 2, 1, 2, 3)},
        turn=YELLOW,
    )
    lines = write_save(state).splitlines()
    assert lines[0] == "3"
    assert lines[2] == "1 2 1 2 3 r 36 16 19 h 10 B 15 T 27 H"


def test_without_roads_there_is_one_blank_between_r_and_h() -> None:
    assert write_save(position(homes={3: (BLUE, 1)})).splitlines()[1] == "0 0 0 0 0 r h 3 B"


def test_empty_lines_at_the_end_do_not_matter() -> None:
    assert parse_save(SAVE + "\n  \n", STANDARD) == parse_save(SAVE, STANDARD)
    assert parse_save(SAVE.rstrip(), STANDARD) == parse_save(SAVE, STANDARD)


@pytest.mark.parametrize(
    ("spelling", "seat"),
    [("Blue", BLUE), ("RED", RED), ("orange", ORANGE), ("Y", YELLOW), (" b ", BLUE), ("3", YELLOW)],
)
def test_the_turn_may_be_a_colour_or_its_first_letter(spelling: str, seat: int) -> None:
    state = parse_save(changed(1, spelling), STANDARD)
    assert state.turn == seat
    assert write_save(state).splitlines()[0] == str(seat)


@pytest.mark.parametrize("line", range(1, 8))
def test_blank_lines_are_skipped(line: int) -> None:
    spaced = changed(line, f"\n  \n{LINES[line - 1]}\n\t")
    assert parse_save(spaced, STANDARD) == parse_save(SAVE, STANDARD)


def test_errors_name_the_line_of_the_file_also_after_blank_lines() -> None:
    with pytest.raises(TextFileError) as raised:
        parse_save(changed(2, "\n\n0 0 x 0 0 r h"), STANDARD)
    assert raised.value.line == 4


def test_letters_of_residences_may_be_in_any_case() -> None:
    state = parse_save(changed(5, "0 0 0 0 0 r 27 h 20 h 27 t 0 b"), STANDARD)
    assert state.homes_of(YELLOW) == [20, 27, 0]
    assert [state.levels[vertex] for vertex in (20, 27, 0)] == [2, 3, 1]


def test_loading_does_not_check_the_rules() -> None:
    state = parse_save(changed(2, "99 0 0 0 0 r 0 71 h 0 T 1 T 3 B"), STANDARD)
    assert state.hand(BLUE) == [99, 0, 0, 0, 0]
    assert state.homes_of(BLUE) == [0, 1, 3]


def test_save_of_a_variant_contains_the_changes_of_each_tile() -> None:
    state = position(variant="living")
    state.tiles = stock(state.tiles, VARIANTS["living"])
    state.tiles = (Tile(BRICK, 3, WIFI, 12), *state.tiles[1:])
    assert f"{write_save(state).splitlines()[-1]}\n" == changes("living", 0, "WIFI:12")
    assert parse_save(write_save(state), STANDARD).tiles == state.tiles


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("", 1, "not a saved game: .* 0 of the 6 "),
        ("\n\n", 1, " 0 of the 6 "),
        ("\n".join(LINES[:5]), 5, " 5 of the 6 "),
        (
            changed(1, "4"),
            1,
            "current builder .* 0 to 3 .*, not '4'",
        ),
        (
            changed(1, "0 1"),
            1,
            "current builder .* 0 to 3 .*, not '0 1'",
        ),
        (
            changed(1, "Green"),
            1,
            "current builder .* 0 to 3 .*, not 'Green'",
        ),
        (
            changed(1, "Bl"),
            1,
            "current builder .* 0 to 3 .*, not 'Bl'",
        ),
        (changed(2, "0 0 0 0 r h"), 2, "4 numbers .*, not 5"),
        (changed(2, "0 0 0 0 0 0 r h"), 2, "6 numbers .*, not 5"),
        (changed(3, "0 0 0 0 0 h"), 3, "`r` .* roads"),
        (changed(3, "0 0 0 0 0 h 3 B r"), 3, "`r` .* roads"),
        (changed(3, "0 0 0 0 0 1 2 h 3 B"), 3, "`r` .* roads"),
        (changed(3, "0 0 0 0 0 r 1 2"), 3, "`h` .* residences"),
        (changed(3, "0 0 0 0 0 r 1 2 3 B 7 H"), 3, "`h` .* residences"),
        (changed(3, "0 0 0 0 0 r 1 2 3 H 7 h"), 3, "`h` .* residences"),
        (changed(3, "0 0 0 0 0 r 1 2 3B"), 3, "`h` .* residences"),
        (changed(2, "-5 0 0 0 0 r h"), 2, "BRICK: '-5' is less than 0"),
        (changed(2, f"0 {'9' * 20} 0 0 0 r h"), 2, f"ENERGY: '{'9' * 20}' is too large"),
        (changed(6, ""), 7, "1 numbers, .* 19 tiles"),
        (changed(3, "0 0 -1 0 0 r h"), 3, "GLASS: '-1' is less than 0"),
        (changed(4, "0 0 0 0 0 r 72 h"), 4, "road 72: .* 0 to 71"),
        (changed(4, "0 0 0 0 0 r x h"), 4, "road 'x' .*whole number"),
        (changed(4, "0 0 0 0 0 r 38 h"), 4, "road 38: .* already "),
        (changed(5, "0 0 0 0 0 r h 54 B"), 5, "residence 54: .* 0 to 53"),
        (changed(5, "0 0 0 0 0 r h 3 X"), 5, "residence 3: 'X' .*B, H or T"),
        (changed(5, "0 0 0 0 0 r h 3 BH"), 5, "residence 3: 'BH' .*B, H or T"),
        (changed(5, "0 0 0 0 0 r h 3 4 B"), 5, "residence 3: '4' .*B, H or T"),
        (changed(5, "0 0 0 0 0 r h B 3"), 5, "residence 'B' .*whole number"),
        (changed(5, "0 0 0 0 0 r h 3B 4 T"), 5, "residence '3B': .*blank .*'B'"),
        (changed(5, "0 0 0 0 0 r h 4 T 3b"), 5, "residence '3b': .*blank .*'b'"),
        (changed(5, "0 0 0 0 0 r h 37 B"), 5, "residence 37: .* already "),
        (changed(5, "0 0 0 0 0 r h 3"), 5, "residence 3: B, H or T .*missing"),
        (changed(6, LAYOUT_LINE[:-2]), 6, "37 numbers, .* 19 tiles"),
        (changed(6, "6" + LAYOUT_LINE[1:]), 6, "tile 0: .* resource .* 0"),
        (changed(7, "19"), 7, "geese .* 0 to 18, not 19"),
        (changed(7, "-2"), 7, "geese: '-2' .* 0"),
        (changed(7, "1 2"), 7, "geese: '1 2' .*whole number"),
        (SAVE + "1\n", 8, " '1' .* end "),
        (SAVE + "variant scarce\n", 8, "change for each tile"),
        (SAVE + "variant odd" + " -:-" * 19, 8, " variant .* rich, scarce, living"),
        (SAVE + "variant rich" + " MUD:-" * 19, 8, "'MUD:-' .* change "),
        (SAVE + "variant rich" + " -:-1" * 19, 8, "'-1' is less than 0"),
        (SAVE + changes("standard", 0, "-:-"), 8, " variant .* rich"),
        (SAVE + changes("rich", 4, "HEAT:-"), 8, "tile 4: PARK .* HEAT:- .* rich"),
        (SAVE + changes("rich", 18, "GLASS:-"), 8, "tile 18: GLASS .* GLASS:-"),
        (SAVE + changes("rich", 0, "HEAT:20"), 8, "tile 0: BRICK .* HEAT:20"),
        (SAVE + changes("scarce", 0, "HEAT:20"), 8, "tile 0: BRICK .* HEAT:20"),
        (SAVE + changes("scarce", 0, "-:-"), 8, "tile 0: BRICK .* -:-"),
        (SAVE + changes("living", 0, "HEAT:21"), 8, "tile 0: BRICK .* HEAT:21"),
        (SAVE + "variant rich" + " -:-" * 19 + "\n1", 9, "unexpected line '1'"),
    ],
)
def test_invalid_save_error_names_the_line(text: str, line: int, complaint: str) -> None:
    with pytest.raises(TextFileError, match=complaint) as raised:
        parse_save(text, STANDARD)
    assert raised.value.line == line


def test_a_save_of_another_board_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^option load: line 6: 38 numbers, .*\b7 tiles\b"):
        Match(GAMES["small"], seats=4, options={"load": SAVE})
    with pytest.raises(TextFileError):
        parse_save(SAVE, SMALL)


# Writing saves.


def test_file_name_of_a_save_may_contain_spaces(tmp_path: Path) -> None:
    assert at_work(tmp_path, "save  my  game.sv ") == [""]
    assert (tmp_path / "my  game.sv").read_text("utf-8") == RICH


@pytest.mark.parametrize("typed", ['"my game.sv"', "'my game.sv'"])
def test_quotes_around_the_name_of_a_save_are_not_part_of_it(typed: str, tmp_path: Path) -> None:
    assert at_work(tmp_path, f"save {typed}") == [""]
    assert (tmp_path / "my game.sv").read_text("utf-8") == RICH


def test_save_replaces_the_file_and_leaves_no_other_files(tmp_path: Path) -> None:
    (tmp_path / "old.sv").write_text("something old")
    at_work(tmp_path, "save old.sv", "save old.sv")
    assert (tmp_path / "old.sv").read_text("utf-8") == RICH
    assert {path.name for path in tmp_path.iterdir()} == {"old.sv", "g.sv", "backup.sv"}


def test_unwritable_save_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    places = {
        "no/such.sv": "No such file or directory",
        "folder": "Is a directory",
        "file/x.sv": "Not a directory",
        "x" * 300: "File name too long",
        "a\0b": "a file name cannot contain a null character",
    }
    shown = at_work(tmp_path, *(f"save {place}" for place in places), "build-road 0")
    cannot = [f"The game cannot be saved in {place!r}: {why}.\n" for place, why in places.items()]
    assert shown == [*cannot, ""]


def test_tilde_in_a_save_path_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)  # where the game is saved at the end of its input
    assert at_work(tmp_path, "save ~/my.sv") == [""]
    assert (home / "my.sv").read_text("utf-8") == RICH
    assert run_here(["-load", "~/my.sv", "-log", "~/my.log"]).status == 0
    assert (home / "my.log").exists()
