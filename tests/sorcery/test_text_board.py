"""Cards and boards as text: those of the document and those of a small terminal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sorcery.own import matches
from tests.sorcery.programs import BOARD_HEIGHT, DATA, read_board, read_card, run_here
from tests.sorcery.scenes import Scene
from tests.sorcery.tables import NAMES, empty, full, longest

from sorcery import (
    SPRING_2017,
    SPRING_2024,
    YOU,
    Ability,
    AbilityCost,
    Action,
    CannotAttack,
    Draw,
    GainLife,
    GainMagic,
    Minion,
    Side,
    Sorcery,
    SorceryState,
    Stats,
    Trigger,
    When,
    enchantment,
    minion,
    spell,
)
from sorcery.cards.state import HIDDEN, MOST, CardInstance, Ritual
from sorcery.text.card_faces import all_in_full, face_of, face_of_held, face_of_minion
from sorcery.text.frames import (
    ASCII,
    FANCY,
    SIMPLE,
    STYLES,
    Rows,
    Style,
    clip,
    figure,
    left,
    right,
    wrap,
)
from sorcery.text.small_board import HEIGHT, WIDTH, SmallBoard
from sorcery.text.terminal_colours import strip_paint
from sorcery.text.text_board import (
    BOARD_WIDTH,
    CARD_HEIGHT,
    CARD_WIDTH,
    EMPTY_HAND,
    TextBoard,
    beside,
    draw_card,
    draw_player,
)
from tabletop import Match
from tabletop.wording import width_of

CARDS = SPRING_2024.cards

SWISS_KNIFE = minion("Swiss Knife", cost=2, attack=1, defence=4).having(
    Ability(1, Draw(), "Draw a card"),
    Ability(2, GainLife(YOU, 1), "Gain 1 life"),
    Trigger(When.TURN_ENDS, GainMagic(YOU, 1), "At the end of every turn, gain 1 magic"),
    Trigger(When.TURN_STARTS, GainLife(YOU, 1), "At the start of every turn, gain 1 life"),
)
LECTURE = spell("Lecture", Draw(), "word " * 40, cost=1)


def test_the_cards_of_both_editions_show_everything() -> None:
    cards = (*SPRING_2024.card_set, *SPRING_2017.card_set)
    assert [card.name for card in cards if not face_of(card).fits] == []


def test_magic_fatigue_changes_the_cost_on_the_card() -> None:
    scene = Scene().board(1, "Novice Pyromancer").enchant(1, 1, "Magic Fatigue", "Magic Fatigue")
    assert face_of_minion(scene.side(1).minions[0], CARDS).box == 5


def test_triggers_that_enchantments_grant_are_added() -> None:
    grant = Trigger(When.TURN_ENDS, Draw(), "Draw at the end.")
    gift = enchantment("Gift", cost=1, text="").having(grant)
    scene = Scene(cards=[gift]).board(1, "Bone Golem").enchant(1, 1, "Gift")
    face = face_of_minion(scene.side(1).minions[0], scene.edition.cards)
    assert face.lines() == ["Gain +1/+1 whenever a minion", "leaves play.", "Draw at the end."]


def test_a_minion_in_hand_or_graveyard_shows_the_values_it_has_kept() -> None:
    face = face_of_held(CardInstance("Bone Golem", 2, -1), CARDS)
    assert face is not None
    assert (face.low_left, face.low_right) == ("2", "-1")


def test_an_enchantment_that_changes_one_number_has_one_box() -> None:
    face = face_of(enchantment("Edge", cost=1).having(Stats("*2")))
    assert (face.low_left, face.low_right) == ("*2", None)


def test_a_text_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    lecture = face_of(LECTURE)
    assert not lecture.fits
    assert lecture.lines() == ["word word word word word word"] * 4 + [
        "word word word word word..."
    ]


def test_every_ability_and_trigger_is_on_the_face_and_in_the_full_text() -> None:
    face = face_of(SWISS_KNIFE)
    assert (face.box, face.fits) == (1, False)
    assert face.lines() == ["Draw a card", "2: Gain 1 life", "At the end of every..."]
    assert all_in_full([face, face_of(CARDS["Banish"]), face, None]) == [
        "Swiss Knife (Minion, cost 2, 1/4)",
        "  ability 1, cost 1: Draw a card",
        "  ability 2, cost 2: Gain 1 life",
        "  At the end of every turn, gain 1 magic",
        "  At the start of every turn, gain 1 life",
    ]


def test_modifiers_of_a_minion_without_a_text_are_described() -> None:
    wall = minion("Wall", cost=1, attack=0, defence=5).having(CannotAttack(), AbilityCost(1))
    said = minion("Fence", cost=1, attack=0, defence=5, text="It stands.").having(CannotAttack())
    scene = Scene(cards=[wall, said]).board(1, "Wall")
    assert face_of(wall).lines() == ["Cannot attack. Abilities +1"]
    assert face_of(said).lines() == ["It stands."]
    assert face_of_minion(scene.side(1).minions[0], scene.edition.cards).low_right == "5"


# The display, compared cell for cell with the files of the assignment.


BOTH_STYLES = pytest.mark.parametrize("style", STYLES.values(), ids=list(STYLES))


def rows_of(name: str) -> Rows:
    return (DATA / name).read_text("utf-8").splitlines()


def side(life: int = 20, magic: int = 3) -> Side:
    return Side(life, magic, [], [], [], None, [])


def without_texts(rows: Rows) -> Rows:
    """Blank out the texts of a picture, for pictures with other line breaks."""
    blank = [list(row) for row in rows]
    indent = (len(rows[0]) - 5 * CARD_WIDTH) // 2 if len(rows) == BOARD_HEIGHT else 0
    tops = (1, 12, 33, 44) if indent else range(0, len(rows), CARD_HEIGHT)
    for top in tops:
        for place in range(indent, len(rows[top]) - indent, CARD_WIDTH):
            card = [row[place : place + CARD_WIDTH].translate(ASCII) for row in rows[top:][:11]]
            if card[2][:2] != "|-":
                continue  # not a card
            boxed = card[6].startswith("|------ ")
            for number in range(5, 8 if card[8].endswith("------|") else 10):
                for cell in range(8 if boxed else 1, CARD_WIDTH - 1):
                    blank[top + number][place + cell] = " "
    return ["".join(row) for row in blank]


# Cards.


def test_every_card_of_2024_matches_its_picture() -> None:
    drawn = [row for card in SPRING_2024.card_set for row in draw_card(face_of(card))]
    assert SIMPLE.show(drawn).splitlines() == rows_of("cards_2024.txt")


def test_every_card_of_2017_matches_its_picture_with_broken_words() -> None:
    pictures, faces = rows_of("cards_2017.txt"), map(face_of, SPRING_2017.card_set)
    drawn = [row for face in faces for row in draw_card(face, breaks_words=True)]
    assert SIMPLE.show(drawn[: len(pictures)]).splitlines() == pictures
    assert len(drawn) // CARD_HEIGHT == len(pictures) // CARD_HEIGHT + 4  # and the custom cards


@pytest.mark.parametrize(("style", "back"), [(SIMPLE, "."), (FANCY, "░")])
def test_a_hidden_card_is_face_down(style: Style, back: str) -> None:
    rows = style.show(draw_card(None)).splitlines()
    assert {row[1:-1] for row in rows[1:-1]} == {back * 31}
    assert len(rows) == CARD_HEIGHT


# Players.


def test_names_of_players_are_centred_and_cut_as_in_the_pictures() -> None:
    pictures = rows_of("player_names_simple.txt")
    for place in range(16):
        picture = pictures[place * CARD_HEIGHT :][:CARD_HEIGHT]
        name = "ABCDEFGHIJKLMNOP"[: place + 1]
        numbers = [
            int(picture[row][start:][:5]) for row, start in ((9, 1), (9, 27), (1, 34), (1, 60))
        ]
        top = draw_player(name, side(*numbers[:2]), top=True)
        bottom = draw_player(name, side(*numbers[2:]), top=False)
        assert SIMPLE.show(beside([top, bottom])).splitlines() == picture


@pytest.mark.parametrize("name", ["", "漢字かな混じりの名前", "e\u0301lan", "x" * 99])
def test_a_name_never_breaks_the_frame(name: str) -> None:
    for top in (True, False):
        rows = draw_player(name, side(-MOST, MOST), top=top)
        assert {width_of(row) for row in rows} == {CARD_WIDTH}


# Boards.


def sample() -> SorceryState:
    """Return the game in the pictures of a board."""
    scene = Scene(magic=0)
    scene.board(1, "Novice Pyromancer 4/8", "Potion Seller 1/4", "Earth Elemental 4/5")
    scene.enchant(1, 1, "Magic Fatigue").graveyard(1, "Bone Golem 2/1")
    scene.board(2, "Air Elemental", "Fire Elemental 3/2", "Apprentice Summoner 2/2")
    return scene.ritual(2, "Aura of Power", 2).state


@BOTH_STYLES
def test_the_board_matches_its_picture_except_for_broken_words(style: Style) -> None:
    board = TextBoard(SPRING_2024, style).board(sample(), ["Sean", "Ten"]).splitlines()
    picture = rows_of(f"board_2024_{style.name}.txt")
    assert without_texts(board) == without_texts(picture)
    assert read_board(board) == read_board(picture)
    assert {len(row) for row in board} == {BOARD_WIDTH}


@BOTH_STYLES
def test_an_empty_board_matches_its_picture(style: Style) -> None:
    state = SorceryState([side(), side(5, 120)])
    board = TextBoard(SPRING_2024, style).board(state, ["A", "Bjarne Stroustrup"])
    assert board.splitlines() == rows_of(f"board_empty_{style.name}.txt")


NUMBERS = st.integers(-MOST, MOST)


@st.composite
def sides(draw: st.DrawFn) -> Side:
    minions, enchantments, rituals = (
        [card.name for card in SPRING_2024.card_set if card.type == kind]
        for kind in ("Minion", "Enchantment", "Ritual")
    )
    on_it = st.lists(st.sampled_from(enchantments), max_size=7).map(tuple)
    held = st.builds(CardInstance, st.sampled_from([*minions, HIDDEN]), NUMBERS, NUMBERS)
    minion = st.builds(
        Minion, st.sampled_from(minions), NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.just(1), on_it
    )
    return Side(
        draw(NUMBERS),
        draw(NUMBERS),
        draw(st.lists(held, max_size=5)),
        [],
        draw(st.lists(minion, max_size=5)),
        draw(st.none() | st.builds(Ritual, st.sampled_from(rituals), st.integers(0, MOST))),
        draw(st.lists(held, max_size=2)),
    )


@pytest.mark.slow
@given(first=sides(), second=sides(), style=st.sampled_from([SIMPLE, FANCY]))
@settings(max_examples=10, deadline=None)
def test_no_number_ever_breaks_a_frame(first: Side, second: Side, style: Style) -> None:
    look = TextBoard(SPRING_2024, style)
    board = look.board(SorceryState([first, second]), ["Sean", "Ten"]).splitlines()
    assert [len(row) for row in board] == [BOARD_WIDTH] * BOARD_HEIGHT
    hand = look.hand(first).splitlines()[:CARD_HEIGHT]
    assert not first.hand or {len(row) for row in hand} == {len(first.hand) * CARD_WIDTH}
    for one in first.minions:
        rows = look.inspection(one).splitlines()
        assert {len(row) for row in rows[:CARD_HEIGHT]} == {CARD_WIDTH}


def test_colours_change_no_character_of_a_board_and_a_hand() -> None:
    scene = full()
    plain = TextBoard(scene.edition, SIMPLE)
    coloured = plain._replace(coloured=True)
    assert coloured.board(scene.state, NAMES) != plain.board(scene.state, NAMES)
    assert strip_paint(coloured.board(scene.state, NAMES)) == plain.board(scene.state, NAMES)
    assert strip_paint(coloured.hand(scene.side(1))) == plain.hand(scene.side(1))


# Hands and inspections.


def test_a_hand_matches_its_picture() -> None:
    scene = Scene().hand(1, "Silence", "Potion Seller", "Bone Golem", "Blizzard", "Aura of Power")
    assert TextBoard(SPRING_2024, SIMPLE).hand(scene.side(1)).splitlines() == rows_of(
        "hand_2024.txt"
    )


def test_an_inspected_minion_matches_its_picture() -> None:
    scene = Scene().board(1, "Air Elemental").enchant(1, 1, *["Giant Strength"] * 6, "Enrage")
    look = TextBoard(SPRING_2024, SIMPLE)
    assert look.inspection(scene.side(1).minions[0]).splitlines() == rows_of("inspect_2024.txt")


def test_an_inspected_minion_of_2017_matches_its_picture_except_for_a_broken_word() -> None:
    scene = Scene(SPRING_2017).board(1, "Air Elemental 3/3")  # including a gain of +2/+2
    scene.enchant(1, 1, *["Giant Strength"] * 5, "Silence")
    minion, picture = scene.side(1).minions[0], rows_of("inspect_2017.txt")
    inspected = TextBoard(SPRING_2017, SIMPLE).inspection(minion).splitlines()
    assert without_texts(inspected) == without_texts(picture)
    assert read_card(inspected[-CARD_HEIGHT:]) == read_card(picture[-CARD_HEIGHT:])


def test_a_text_that_does_not_fit_is_repeated_in_full_below() -> None:
    card = minion("Babbler", cost=1, attack=1, defence=1).having(
        Ability(2, Draw(), "word " * 20 + "end")
    )
    scene = Scene(cards=[card]).board(1, "Babbler").hand(1, "Babbler")
    look = TextBoard(scene.edition, SIMPLE)
    below = ["Babbler (Minion, cost 1, 1/1)", f"  ability 1, cost 2: {'word ' * 20}end"]
    for shown in (look.inspection(scene.side(1).minions[0]), look.hand(scene.side(1))):
        assert shown.splitlines()[CARD_HEIGHT:] == below


# Styles, and texts measured in cells.


WORDS = st.lists(st.text("abcdefghij,.'", min_size=1, max_size=12), max_size=12).map(" ".join)
LETTERS = st.text("aé漢́字!", max_size=12)


def test_the_simple_style_is_ascii() -> None:
    assert TextBoard(SPRING_2024, SIMPLE).board(sample(), ["Sean", "Ten"]).isascii()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0", "0"),
        ("-999", "-999"),
        ("9999", "9999"),
        ("-9876", "-10k"),
        ("+1000", "+1k"),
    ],
)
def test_a_number_that_does_not_fit_is_rounded(text: str, shown: str) -> None:
    assert figure(text) == shown


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one two", ["one two"]),
        ("one two three", ["one two", "three"]),
        ("eightlet ninelette", ["eightlet", "ninelett", "e"]),
        ("exactly", ["exactly"]),
    ],
)
def test_a_text_is_broken_at_blanks(text: str, lines: list[str]) -> None:
    assert wrap(text, 8) == lines


def test_line_breaks_in_a_text_are_kept_and_its_lines_may_be_one_cell_longer() -> None:
    assert wrap("nine lett\n of it", 8) == ["nine lett", " of it"]
    assert wrap("ten letter\nmore", 8) == ["ten", "letter", "more"]


@given(WORDS, st.integers(2, 30))
def test_wrapping_loses_nothing_and_fits(text: str, cells: int) -> None:
    lines = wrap(text, cells)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width_of(line) <= cells for line in lines)


@given(LETTERS, st.integers(0, 12))
def test_a_text_fills_its_cells_whatever_its_characters(text: str, cells: int) -> None:
    assert width_of(left(text, cells)) == width_of(right(text, cells)) == cells
    assert text.startswith(clip(text, cells))


# The board of a small terminal, compared with golden files.


SCENES = {
    "empty": (empty, NAMES),
    "full": (full, NAMES),
    "longest": (longest, ("Bartholomew Featherstonehaugh", "漢字かな混じりの名前は長い")),
}


def screen(scene: Scene, names: tuple[str, str]) -> str:
    """Return the display at the start of a turn, without the prompt."""
    look, side = SmallBoard(scene.edition.cards), scene.side(1)
    hand = look.hand(side, most=1)
    below = 1 + len(hand.splitlines())
    turn = f"{names[0]}'s turn. Life: {side.life}, magic: {side.magic}."
    return f"{look.board(scene.state, names, below=below)}\n{turn}\n{hand}\n"


@pytest.mark.parametrize("which", SCENES)
def test_the_start_of_a_turn_matches_its_golden_file(which: str) -> None:
    scene, names = SCENES[which]
    shown = screen(scene(), names)
    assert shown == (DATA / f"compact_{which}.txt").read_text("utf-8")
    assert len(shown.splitlines()) < HEIGHT
    assert max(map(width_of, shown.splitlines())) <= WIDTH


def test_a_board_with_more_rows_shows_more_text() -> None:
    look = SmallBoard(full().edition.cards)
    board = look.board(full().state, NAMES)
    cut = [line for line in board.splitlines() if line.endswith("...")]
    assert [line.split("  ")[1] for line in cut] == [
        "r Aura of Power"
    ]  # the last to get a second line
    assert screen(full(), NAMES).count("...") > 1
    assert len(board.splitlines()) < HEIGHT


def test_inspecting_and_a_hand_show_the_full_texts() -> None:
    scene = full()
    look, side = SmallBoard(scene.edition.cards), scene.side(1)
    assert side.ritual is not None
    told = (look.inspection(side.minions[0]), look.ritual(side.ritual), look.hand(side))
    assert "\n\n".join(told) + "\n" == (DATA / "compact_cards.txt").read_text("utf-8")
    assert look.hand(scene.side(2)).startswith("play 1  Recharge (1)  Spell; ")
    scene.side(2).hand.clear()
    assert look.hand(scene.side(2)) == look.hand(scene.side(2), most=1) == EMPTY_HAND


def test_texts_of_modifiers_are_in_the_hand_and_once_on_the_board() -> None:
    wall = minion("Wall", cost=0, attack=1, defence=5, text="Cannot attack").having(CannotAttack())
    scene = Scene(cards=[wall]).hand(1, "Wall").board(1, "Wall")
    look = SmallBoard(scene.edition.cards)
    assert look.hand(scene.side(1)) == "play 1  Wall (0)  Minion; 1/5; Cannot attack"
    assert "1 Wall 1/5  1 action; cannot attack\n" in look.board(scene.state, NAMES)


def test_a_finished_game_shows_no_actions() -> None:
    scene = Scene(life=1).board(1, "Air Elemental").board(2, "Air Elemental").play("attack 1")
    board = SmallBoard(scene.edition.cards).board(scene.state, NAMES)
    assert "act" not in board
    assert ">" not in board


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(matches(), st.integers(0, 120), st.integers(1, 200), st.integers(1, 70))
def test_any_position_fits_the_screen_and_colours_change_no_character(
    match: Match[SorceryState, Action], plies: int, width: int, height: int
) -> None:
    match.run(plies)
    game, state = match.game, match.state
    assert isinstance(game, Sorcery)
    look = SmallBoard(game.edition.cards, width, height)
    side = state.sides[state.turn]
    below = 1 + max(1, len(side.hand))
    rows = f"{look.board(state, NAMES, below=below)}\n{look.hand(side, most=1)}".splitlines()
    assert len(rows) + 2 <= max(height, HEIGHT)
    assert max(map(width_of, rows)) <= max(width, 40)
    for line in range(1, 3):
        named = {one.card[:23] for one in state.sides[line - 1].minions}
        assert all(any(name in row for row in rows) for name in named) or width < 40
    painted = look._replace(coloured=True)
    assert strip_paint(painted.board(state, NAMES)) == look.board(state, NAMES)
    assert strip_paint(painted.hand(side)) == look.hand(side)


def test_the_option_also_applies_to_piped_output() -> None:
    shown = run_here(["-testing", "-seed=x", "-style=compact"], "board\nhand\nquit\n").stdout
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert shown.count("> Sean (1): life 20, magic 4, hand 5, deck 14, graveyard 0\n") == 2
    assert shown.count("play 1  Air Elemental (0)  Minion; 1/1\n") == 1
