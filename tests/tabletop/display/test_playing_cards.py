"""Faces and backs of cards, rows of cards, and the ready-made table for card games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import ClassVar
from xml.etree import ElementTree as ET

import pytest
from tests.pictures import classes, parts, width_of, words, words_of

from tabletop import OWNER, ActionPlayed, Seat, Selections, State, Watcher, secret, state
from tabletop.display import (
    CardTable,
    CardText,
    Clickable,
    Face,
    Scene,
    card_name,
    card_row,
    clickables,
    document,
    playing_card,
    suit_symbol,
)
from tabletop.parts.cards import BACK, Card, CardsDrawn, CardsPassed, Suit, Trick, card, french_deck

NAMES = ("Ann", "Bo", "Cid", "Dee", "Eve", "Flo", "Gus", "Hal")


def cards(text: str) -> list[Card]:
    return [card(word) for word in text.split()]


def drawn(*body: str) -> ET.Element:
    return ET.fromstring(document(400, 400, *body, label="cards"))


@state
class Cards(State):
    held: list[list[Card]]
    trick: Trick | None = None
    piles: dict[str, list[Card]] = field(default_factory=dict)


@state
class Dealt(State):
    hands: list[list[Card]]
    trick: Trick


class Table(CardTable[Cards]):
    """A table that uses all features."""

    def hands(self, view: Cards, seat: Watcher) -> Sequence[Sequence[Card]]:
        return view.held

    def trick(self, view: Cards) -> Trick | None:
        return view.trick

    def piles(self, view: Cards, seat: Watcher) -> Mapping[str, Sequence[Card]]:
        return view.piles


def table(
    hands: list[list[Card]],
    *actions: str,
    trick: Trick | None = None,
    piles: dict[str, list[Card]] | None = None,
    seat: Watcher = 0,
    narrow: bool = False,
) -> ET.Element:
    view, picture, names = Cards(hands, trick, piles or {}), Table(), NAMES[: len(hands)]
    choices = clickables(picture, view, actions, names, 0)
    scene = Scene(names, seat, (0,), choices=choices, live=bool(actions), narrow=narrow)
    return ET.fromstring(picture.draw(view, scene))


def test_all_faces_and_the_back_are_different() -> None:
    faces = {playing_card(one, width) for one in [*french_deck(), BACK] for width in (40, 80)}
    assert len(faces) == 2 * 53


@pytest.mark.parametrize("rank", range(2, 11))
def test_a_face_has_as_many_pips_as_its_rank(rank: int) -> None:
    symbols = playing_card(Card(Suit.HEARTS, rank), 80).count("<path")
    assert symbols == rank + 2  # and one symbol in two corners


def test_hearts_and_diamonds_are_red_and_the_others_black() -> None:
    inks = [("tt-danger" in suit_symbol(suit, 0, 0, 10)) for suit in Suit]
    assert inks == [False, True, True, False]


def test_cards_have_names_that_can_be_read_out() -> None:
    names = [card_name(one) for one in (*cards("qs th ad"), BACK)]
    assert names == ["queen of spades", "10 of hearts", "ace of diamonds", "a card face down"]


def test_a_visible_card_is_a_part_with_a_key_but_a_back_is_not() -> None:
    row = card_row(Scene(NAMES), [*cards("qs th"), BACK], 0, 0, 300, 50)
    found = parts(drawn(row))
    assert {name: it.get("data-key") for name, it in found.items()} == {"qs": "qs", "th": "th"}


def test_equal_cards_are_separate_parts() -> None:
    row = card_row(Scene(NAMES), cards("qs qs"), 0, 0, 300, 50, drawn_before=cards("qs"))
    assert [*parts(drawn(row))] == ["qs-2", "qs-3"]


def test_each_of_several_equal_cards_in_the_hand_can_be_clicked() -> None:
    found = parts(table([cards("qs qs th"), []], "play qs"))
    lit = {name: it.get("data-like") for name, it in found.items() if "tt-lit" in classes(it)}
    assert lit == {"qs": None, "qs-2": "qs"}


def test_an_action_with_two_equal_cards_has_two_parts() -> None:
    view = Cards([cards("qs qs th"), []])
    assert Table().path("meld qs qs", view, 0) == ("qs", "qs-2")


class Shop(Table):
    """A table whose market sells the cards that are also in the hands."""

    def market(self, view: Cards) -> Sequence[Face]:
        return [Face("qs", note="2 coins"), Face("th", note="3 coins")]

    def takes(self, action: str) -> bool:
        return action.startswith("buy")


def test_a_card_in_the_market_and_an_equal_card_in_the_hand_are_two_parts() -> None:
    view, shop = Cards([cards("qs"), []]), Shop()
    assert shop.path("buy qs", view, 0) == ("market qs",)
    assert shop.path("play qs", view, 0) == ("qs",)
    choices = clickables(shop, view, ["buy qs"], NAMES[:2], 0)
    scene = Scene(NAMES[:2], 0, (0,), choices=choices, live=True)
    found = parts(ET.fromstring(shop.draw(view, scene)))
    assert [name for name, it in found.items() if "tt-lit" in classes(it)] == ["market qs"]


def test_the_text_lists_the_market_with_its_notes() -> None:
    class Words(CardText[Cards]):
        table = Shop()

    lines = Words().position(Cards([cards("qs"), []]), NAMES[:2]).splitlines()
    assert lines[-1] == "qs (2 coins)  th (3 coins)"


@pytest.mark.parametrize("count", [1, 5, 13, 40])
def test_a_row_never_leaves_its_room(count: int) -> None:
    row = card_row(Scene(NAMES), [BACK] * count, 10, 0, 300, 50)
    places = [it.get("transform", "") for it in drawn(row).iter() if it.get("transform")]
    lefts = [float(it.split("(")[1].split()[0]) for it in places]
    assert min(lefts) >= 10
    assert max(lefts) + 50 <= 310.01


def test_a_fan_turns_its_first_card_to_the_left_and_its_last_to_the_right() -> None:
    row = card_row(Scene(NAMES), cards("2c 3c 4c"), 0, 0, 300, 50, fan=30)
    places = [it.get("transform", "") for it in parts(drawn(row)).values()]
    assert ["rotate(-15)" in places[0], "rotate" in places[1], "rotate(15)" in places[2]] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("seats", range(1, 9))
def test_up_to_eight_seats_fit_and_no_card_or_plate_covers_another(
    seats: int, narrow: bool
) -> None:
    trick = Trick.led_by(0, seats)
    for one in french_deck()[:seats]:
        trick.lay(one)
    root = table([[BACK] * 5] * seats, trick=trick, narrow=narrow)
    places = {
        name: tuple(map(float, it.get("transform", "")[10:].rstrip(")").split()))
        for name, it in parts(root).items()
    }
    width = 48 if narrow else 64
    spots = [*places.values()]
    for at, (x, y) in enumerate(spots):
        for left, top in spots[:at]:
            assert abs(x - left) >= width or abs(y - top) >= 1.4 * width
    assert len(spots) == seats


class Noted(Table):
    """A table with a note of two lines."""

    note_words: tuple[str, str] = "", ""

    def note(self, view: Cards, scene: Scene) -> str:
        return "\n".join(self.note_words)


@pytest.mark.parametrize("length", [3, 40, 120])
def test_no_note_is_cut_on_a_phone(length: int) -> None:
    picture, view = Noted(), Cards([[BACK]] * 4)
    picture.note_words = " ".join(["beside"] * length), " ".join(["below"] * length)
    root = ET.fromstring(picture.draw(view, Scene(NAMES[:4], 0, (0, 1, 2, 3), narrow=True)))
    said = words(root)
    assert (said.count("beside"), said.count("below"), "…" in said) == (length, length, False)


def test_nine_seats_do_not_fit() -> None:
    with pytest.raises(ValueError, match="8 seats, not 9"):
        table([[BACK]] * 9)


def test_a_trick_shows_its_leader_and_its_winner() -> None:
    trick = Trick.led_by(1, 3)
    trick.lay(card("9h"))
    assert "leads" in words(table([[BACK]] * 3, trick=trick)).split()
    trick.lay(card("2h"))
    trick.lay(card("kh"))
    said = words(table([[BACK]] * 3, trick=trick)).split()
    assert "takes" in said
    assert "leads" not in said


def test_a_card_in_hand_is_clicked_for_the_action_that_names_it() -> None:
    found = parts(table([cards("9h qs"), [BACK]], "play qs"))
    assert found["qs"].get("data-action") == "play qs"
    assert found["9h"].get("data-action") is None


def test_a_pile_is_clicked_for_the_action_that_names_it() -> None:
    found = parts(table([cards("9h"), [BACK]], "draw deck", piles={"deck": [BACK] * 9}))
    assert found["deck"].get("data-action") == "draw deck"
    assert found["deck"].get("aria-label") == "deck: 9 cards"


def test_an_empty_pile_has_the_outline_of_a_card() -> None:
    def outlines(pile: list[Card]) -> int:
        root = table([[BACK]] * 2, piles={"gone": pile})
        return sum("tt-stroke-line" in classes(it) for it in root.iter())

    assert outlines([]) == 1 + outlines(cards("2c"))


def test_an_action_that_names_no_part_has_a_button() -> None:
    found = parts(table([cards("9h"), [BACK]], "9h", "pass", "bid 3 hearts"))
    assert found["do pass"].get("data-action") == "pass"
    assert words(found["do bid 3 hearts"]) == "Bid 3 hearts"


def test_an_action_with_several_cards_is_clicked_one_after_the_other() -> None:
    view = Cards([cards("7h 8h 9h"), [BACK]])
    assert Table().path("meld 7h 8h 9h", view, 0) == ("7h", "8h", "9h")


def test_all_hands_are_visible_to_a_viewer_of_everything() -> None:
    hands = [cards("9h"), cards("qs"), cards("2c")]
    assert [*parts(table(hands, seat="all"))] == ["9h", "qs", "2c"]
    assert [*parts(table([[BACK]] * 3, seat=None))] == []


@pytest.mark.parametrize("count", [7, 13, 17])
def test_cards_in_hand_can_be_hit_with_a_finger_on_a_phone(count: int) -> None:
    root = table([french_deck()[:count], [BACK]], narrow=True)
    places = [it.get("transform", "")[10:].rstrip(")").split() for it in parts(root).values()]
    spots = [(float(x), float(y)) for x, y in places]
    for (x, y), (left, top) in pairwise(spots):
        assert top > y or left - x >= 44


# Custom cards.


@state
class Roles(State):
    hands: list[list[str]]


class RoleTable(CardTable[Roles]):
    """A table with role cards, some of them without names."""

    buttons: ClassVar[Collection[str]] = ("steal", "ring")

    def face(self, role: str) -> Card | Face:
        if role == "?":
            return BACK
        return Face(words=role, note="b or c\nnot 1") if role == "X" else Face(role, art=role)

    def aim(self, action: str) -> int | None:
        return int(action.split()[1]) - 1 if action.startswith("steal") else None

    def place(self, action: str) -> int | None:
        return int(action.split()[1]) - 1 if action.startswith("ring") else None

    def note(self, view: Roles, scene: Scene) -> str:
        return "first\nsecond"


def role_table(hands: list[list[str]], *actions: str) -> ET.Element:
    view, picture, names = Roles(hands), RoleTable(), NAMES[: len(hands)]
    choices = clickables(picture, view, actions, names, 0)
    return ET.fromstring(picture.draw(view, Scene(names, 0, (0,), choices=choices, live=True)))


def test_a_custom_card_is_a_part_with_its_words_and_notes() -> None:
    found = parts(role_table([["crown", "X"], ["?", "?"]], "lose crown"))
    assert found["crown"].get("data-action") == "lose crown"
    assert found["1.2"].get("aria-label") == "X: b or c, not 1"
    assert words(found["1.2"]) == "X b or c not 1"


def test_a_small_card_has_its_art_without_words_that_would_be_truncated() -> None:
    assert words(drawn(playing_card(Face("h", "Hourglass", art="key"), 40))) == ""
    assert words(drawn(playing_card(Face("h", "Key", art="key"), 40))) == "Key"


@pytest.mark.parametrize("looks", [{"art": "key"}, {"colour": "blue"}])
@pytest.mark.parametrize(
    ("note", "lines"),
    [
        ("robs 2", ["robs 2"]),
        ("swaps,\nblocks", ["swaps,", "blocks"]),
        ("swaps; blocks a thief", ["swaps;", "blocks a", "thief"]),
        ("one two three four five six", ["one two", "three four", "five six"]),
    ],
)
def test_a_note_is_wrapped_below_the_words_of_its_card(
    looks: dict[str, str], note: str, lines: list[str]
) -> None:
    root = drawn(playing_card(Face("r", "Thief", note=note, **looks), 60))
    texts = root.findall(".//{*}text")
    assert [it.text for it in texts] == ["Thief", *lines]
    rows = [float(it.get("y", 0)) for it in texts]
    sizes = [float(it.get("font-size", 0)) for it in texts]
    for (above, below), size in zip(pairwise(rows), sizes[1:], strict=True):
        assert below - above >= 0.95 * size
    if "art" not in looks:
        field = root.findall(".//{*}rect")[-1]
        bottom = float(field.get("y", 0)) + float(field.get("height", 0))
        assert bottom <= rows[1] - 0.7 * sizes[1]


def test_a_verb_button_has_the_common_label_of_its_actions() -> None:
    class Labelled(RoleTable):
        def label(self, action: str, view: Roles, names: Sequence[str], seat: int) -> str:
            word, number = action.split()
            if word == "ring":
                return f"{action} at {view.hands[0][int(number) - 1]}"
            return f"{word} from {names[int(number) - 1]} (thief)"

    view, picture, names = Roles([["X", "crown"], ["?"], ["?"]]), Labelled(), NAMES[:3]
    actions = ("steal 2", "steal 3", "ring 1", "ring 2")
    choices = clickables(picture, view, actions, names, 0)
    scene = Scene(names, 0, (0,), choices=choices, live=True)
    found = parts(ET.fromstring(picture.draw(view, scene)))
    assert words(found["do steal"]) == "steal from (thief)"
    assert words(found["do ring"]) == "ring"  # the other actions have different labels


def test_a_short_word_on_a_button_has_a_capital_letter() -> None:
    class Votes(Players):
        buttons = ("yes", "no")

    choices = clickables(Votes(), Night(0), ["yes", "no"], NAMES[:3], 0)
    drawn = parts(ET.fromstring(Votes().draw(Night(0), Scene(NAMES[:3], 0, (0,), choices))))
    assert [words(drawn[part]) for part in ("do yes", "do no")] == ["Yes", "No"]


def test_a_verb_button_keeps_its_word_if_a_seat_has_the_same_number() -> None:
    class Hints(RoleTable):
        buttons = ("1", "2", "3")

        def aim(self, action: str) -> int:
            return int(action.split()[1]) - 1

        def label(self, action: str, view: Roles, names: Sequence[str], seat: int) -> str:
            _, to, told = action.split()
            return f"tell {names[int(to) - 1]}: {told}"

    view, picture, names = Roles([["?"], ["X"], ["X"]]), Hints(), NAMES[:3]
    actions = [f"tell {to} {told}" for to in (2, 3) for told in (1, 2, 3)]
    scene = Scene(names, 0, (0,), choices=clickables(picture, view, actions, names, 0), live=True)
    found = parts(ET.fromstring(picture.draw(view, scene)))
    assert [words(found[f"do {it}"]) for it in (1, 2, 3)] == ["tell 1", "tell 2", "tell 3"]


def test_a_card_without_a_name_is_identified_by_its_index_in_the_hand() -> None:
    root = role_table([["X", "X"], ["X", "?"]], "ring 2")
    assert {*parts(root)} >= {"do ring", "1.1", "1.2", "2.1"}
    assert RoleTable().path("ring 2", Roles([["X", "X"]]), 0) == ("do ring", "1.2")


def test_a_card_without_a_name_outside_of_hands_cannot_be_clicked() -> None:
    assert [*parts(drawn(card_row(Scene(NAMES), [Face(words="R1")], 0, 0, 300, 50)))] == []


def test_a_seat_is_a_part_only_if_actions_are_aimed_at_seats() -> None:
    hands = [["crown"], ["?"], ["?"]]
    found = parts(role_table(hands, "steal 2", "pass"))
    plates = ["seat 2", "seat 3", "seat 1"]  # illegal targets are clickable for the reason
    assert [*found] == [*plates[:2], "do pass", "do steal", plates[2], "crown"]
    assert words(found["do steal"]) == "Steal"
    assert RoleTable().path("steal 2", Roles(hands), 0) == ("do steal", "seat 2")
    assert [*parts(table([cards("qs"), [BACK]], "qs"))] == ["qs"]
    still = RoleTable().draw(Roles(hands), Scene(NAMES[:3], 0))
    assert [*parts(ET.fromstring(still))] == ["crown"]


def test_a_button_is_a_verb_if_other_parts_are_clicked_with_it() -> None:
    found = parts(role_table([["X"], ["?"]], "ring 1", "pass"))
    verbs = {name for name, it in found.items() if it.get("data-verb") is not None}
    assert verbs == {"do ring"}


def test_a_large_pile_gets_separate_lines_with_readable_cards() -> None:
    deck = french_deck()
    for count, lines in ((3, 1), (27, 1), (28, 2), (52, 2)):
        piles = {"won": deck[:count], "deck": [BACK], "open": []}
        root = table([[BACK], [BACK]], piles=piles, narrow=True)
        drawn = [it for name, it in parts(root).items() if name not in piles]
        spots = [it.get("transform", "")[10:].rstrip(")").split() for it in drawn]
        laid = [(float(spot[0]), float(spot[1])) for spot in spots]
        assert len(laid) == count
        assert len({y for _, y in laid}) == lines
        for (x, y), (left, top) in pairwise(laid):
            assert top > y or left - x >= 0.34 * 36


def test_only_plates_that_can_be_clicked_have_a_ring_and_a_line_marks_the_seat_to_act() -> None:
    class Naming(CardTable[Roles]):
        def aim(self, action: str) -> int:
            return int(action) - 1

    picture, view, names = Naming(), Roles([]), NAMES[:3]
    choices = clickables(picture, view, ["2", "3"], names, 0)
    drawn = picture.draw(view, Scene(names, 0, (0,), choices=choices, live=True))
    for number in (1, 2, 3):
        plate = parts(ET.fromstring(drawn))[f"seat {number}"]
        kinds = [classes(it) for it in plate.iter()]
        assert ("tt-lit" in kinds[0]) == (number != 1)
        assert any("tt-accent" in kind for kind in kinds) == (number == 1)
        assert not any("tt-stroke-accent" in kind for kind in kinds)


def test_the_plate_and_hand_of_the_viewer_are_at_the_bottom() -> None:
    hands = [cards("9h"), cards("qs"), [BACK]]
    body = [it for it in table(hands, piles={"deck": [BACK]}).iter() if it.tag.endswith("text")]
    said = [it.text for it in body]
    assert [*parts(table(hands, piles={"deck": [BACK]}))] == ["qs", "deck", "9h"]
    assert said.index("Ann") > said.index("deck: 1 card") > said.index("Bo")
    spectated = table(hands, seat=None)
    assert "Ann" in [it.text for it in spectated.iter() if it.tag.endswith("text")]


def test_a_hand_with_some_known_cards_shows_them() -> None:
    root = table([cards("9h"), [*cards("qs"), BACK, BACK], [BACK]])
    assert {*parts(root)} == {"9h", "qs"}


def test_the_lines_of_a_note_are_below_the_turn() -> None:
    said = [it.text for it in role_table([["crown"], ["?"]]).iter() if it.tag.endswith("text")]
    assert said[:3] == ["Your turn", "first", "second"]


# Players without cards.


@dataclass(frozen=True)
class Send:
    """Send a team, which somebody pays for."""

    team: tuple[Seat, ...]
    payer: Seat
    seat: Seat = 0
    price: int = 1

    def __str__(self) -> str:
        return " ".join(["send", *(str(it + 1) for it in self.team), "for", str(self.payer + 1)])


@dataclass(frozen=True)
class Pick:
    """Pick a team."""

    team: tuple[Seat, ...]

    def __str__(self) -> str:
        return " ".join(["pick", *(str(it + 1) for it in self.team)])


@state
class Night(State):
    leader: Seat


@state
class Woods(State):
    """Hands of cards, some of which are hidden."""

    hands: list[list[str]] = secret(to=OWNER, back="?")


class Trees(CardTable[Woods]):
    def face(self, card: str) -> Face:
        return {"elm": Face("elm", "Elm")}[card]


def test_visible_cards_have_the_face_of_the_game_and_hidden_cards_a_back() -> None:
    assert Trees().hands(Woods([["elm", "?"], ["?"]]), 0) == [[Face("elm", "Elm"), BACK], [BACK]]


class Players(CardTable[Night]):
    def status(self, view: Night, seat: Seat) -> str:
        return "leads\nof late" if seat == view.leader else ""


def test_any_number_of_players_without_cards_are_parts_with_their_notes() -> None:
    names = [f"Player {seat + 1}" for seat in range(12)]
    for narrow, short in product((False, True), repeat=2):
        scene = Scene(names, 4, (4,), live=True, narrow=narrow, short=short)
        root = ET.fromstring(Players().draw(Night(11), scene))
        drawn = parts(root)
        assert [*drawn] == [f"seat {seat + 1}" for seat in range(12)]
        assert "leads" in words(drawn["seat 12"])
        assert "(you)" in words(drawn["seat 5"])
        assert words(root).count("(you)") == 1


class Crew(CardTable[Night]):
    def status(self, view: Night, seat: Seat) -> str:
        return "warden, crew, voted\nyes\nringleader"


@pytest.mark.parametrize("short", [False, True])
def test_ten_players_without_cards_fit_on_a_phone_with_their_whole_names(short: bool) -> None:
    names = [f"Player {seat + 1}" for seat in range(10)]
    scene = Scene(names, 0, (0,), live=True, narrow=True, short=short)
    root = ET.fromstring(Crew().draw(Night(0), scene))
    assert float(root.get("viewBox", "").split()[3]) <= scene.room[1]
    assert all(name in words(root) for name in names)


def test_an_action_is_aimed_at_the_seats_in_its_fields_except_its_own() -> None:
    assert Players().aim(Send((2, 3), 5)) == [2, 3, 5]
    assert Players().path(Send((2, 3), 5), Night(0), 0) == ("seat 3", "seat 4", "seat 6")
    assert Players().aim("send 3") == []


def test_several_players_are_chosen_by_clicks_in_any_order() -> None:
    chosen = Selections(Pick, "team", range(3), 2, 2)
    (choice,) = clickables(Players(), Night(0), chosen, NAMES[:3], 0)
    assert choice.path == ()
    assert [it.path for it in choice.items] == [("seat 1",), ("seat 2",), ("seat 3",)]


# The text of a table.


class TableText(CardText[Cards]):
    table = Table()


class RoleText(CardText[Roles]):
    table = RoleTable()


def test_the_text_of_a_table_has_the_trick_the_hands_and_the_piles() -> None:
    trick = Trick.led_by(1, 3)
    trick.lay(card("9h"))
    held = [cards("2c 3c as"), [*cards("kh"), BACK, BACK], [BACK] * 2]
    view = Cards(held, trick, {"deck": [BACK] * 9, "open": cards("5d")})
    assert TableText().position(view, NAMES[:3]).splitlines() == [
        "Ann    -   2c 3c  as",
        "Bo   > 9h  kh and 2 more",
        "Cid    -   2 cards",
        "deck: 9 cards",
        "open: 5d",
    ]


def test_a_trick_without_a_leader_is_not_described() -> None:
    view = Cards([[BACK]] * 2, Trick.led_by(None, 2))
    assert TableText().position(view, NAMES[:2]).splitlines() == ["Ann  1 card", "Bo   1 card"]
    assert "leads" not in words(table(view.held, trick=view.trick))


def test_passed_cards_are_listed_for_two_seats_and_counted_for_others() -> None:
    text = TableText()
    assert (
        text.event(CardsPassed(1, 0, (*cards("qs 2c"),)), NAMES)
        == "Ann passes Bo the 2 of clubs and the queen of spades."
    )
    assert text.event(CardsPassed(1, 0, (BACK, BACK)), NAMES) == "Ann passes Bo 2 cards."


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ((BACK,), "a card"),
        ((BACK, BACK), "2 cards"),
        ((card("qs"),), "the queen of spades"),
        ((card("qs"), card("2c")), "the queen of spades and the 2 of clubs"),
        (("oar", "net"), "oar and net"),
    ],
)
def test_drawn_cards_are_described(drawn: tuple[Card | str, ...], words: str) -> None:
    assert TableText().event(CardsDrawn(1, drawn), NAMES) == f"Bo draws {words}."


def test_a_phrase_of_a_game_replaces_the_words_for_drawn_cards() -> None:
    class Words(TableText):
        verbs: ClassVar[Mapping[str, str]] = {"CardsDrawn": "takes {cards}"}

    assert Words().event(CardsDrawn(1, (BACK, BACK)), NAMES) == "Bo takes 2 cards."


def test_a_hand_is_shown_in_the_order_of_the_trick() -> None:
    view = Dealt([cards("2c kc 3h as"), [BACK]], Trick.led_by(0, 2, Suit.CLUBS))

    class Words(CardText[Dealt]):
        table = CardTable[Dealt]()

    assert Words().position(view, NAMES[:2]).splitlines()[0] == "Ann  > -  3h  as  2c kc"
    drawn = ET.fromstring(Words.table.draw(view, Scene(NAMES[:2], 0, (0,))))
    assert [part for part in parts(drawn) if len(part) == 2] == ["3h", "as", "2c", "kc"]


@pytest.mark.parametrize("short", [False, True])
def test_a_picture_requests_the_contents_of_the_table_once(short: bool) -> None:
    calls = Counter[str]()

    class Counting(Table):
        def hands(self, view: Cards, seat: Watcher) -> Sequence[Sequence[Card]]:
            calls["hands"] += 1
            return super().hands(view, seat)

        def piles(self, view: Cards, seat: Watcher) -> Mapping[str, Sequence[Card]]:
            calls["piles"] += 1
            return super().piles(view, seat)

    view = Cards([cards("qs"), cards("kh"), [BACK]], piles={"deck": [BACK]})
    Counting().draw(view, Scene(NAMES[:3], 0, (0,), short=short))
    assert calls == {"hands": 1, "piles": 1}


def test_hidden_cards_need_no_strength_in_a_trick() -> None:
    @state
    class Tens(Trick):
        def strength(self, card: Card) -> float:
            return {13: 1, 10: 2, 14: 3}[card.rank]

    class Words(CardText[Dealt]):
        table = CardTable[Dealt]()

    view = Dealt([cards("as ks ts"), [BACK]], Tens.led_by(0, 2))
    assert Words().position(view, NAMES[:2]).splitlines()[0] == "Ann  > -  ks ts as"


def test_the_text_contains_the_notes_of_cards_and_of_the_table() -> None:
    lines = RoleText().position(Roles([["crown", "X"], ["?"]]), NAMES[:2]).splitlines()
    assert lines == ["first", "second", "Ann  crown  X (b or c not 1)", "Bo   1 card"]


def test_equal_cards_in_piles_and_hands_all_have_their_note_in_the_text() -> None:
    class Piled(RoleTable):
        def piles(self, view: Roles, seat: Watcher) -> Mapping[str, Sequence[Card | Face]]:
            return {"lost": [self.face("X"), Face("spy", note="swaps"), Face("spy", note="swaps")]}

    class Words(CardText[Roles]):
        table = Piled()

    lines = Words().position(Roles([["X", "X"], ["?"]]), NAMES[:2]).splitlines()
    assert lines[2:] == [
        "Ann  X (b or c not 1)  X (b or c not 1)",
        "Bo   1 card",
        "lost: X (b or c not 1)  spy (swaps)  spy (swaps)",
    ]


def test_long_lines_of_a_table_break_between_words() -> None:
    roles = [f"role-{letter * 5}" for letter in "abcdefgh"]
    view = Roles([roles, ["crown"]])
    lines = RoleText().position(view, NAMES[:2]).splitlines()[2:]
    assert len(lines) == 3
    assert max(map(len, lines)) < 80
    assert lines[0].startswith("Ann  ")
    assert lines[1].startswith("     role-")
    assert " ".join(lines).split() == ["Ann", *roles, "Bo", "crown"]


class PlayersText(CardText[Night]):
    table = Players()


def test_the_text_of_players_without_cards_has_their_numbers_and_notes() -> None:
    lines = PlayersText().position(Night(1), NAMES[:3], 2).splitlines()
    assert [line.split() for line in lines] == [
        ["1", "Ann"],
        ["2", "Bo", "leads,", "of", "late"],
        ["3", "Cid", "(you)"],
    ]


def test_a_phrase_names_all_players_that_an_action_is_aimed_at() -> None:
    event = ActionPlayed(1, 0, Pick((1, 2)))
    assert PlayersText().event(event, NAMES) == "Ann plays pick Bo Cid."


def test_a_secret_choice_has_no_line() -> None:
    assert TableText().event(ActionPlayed(1, 0, None), NAMES) == ""
    assert TableText().event(ActionPlayed(1, 0, "9h"), NAMES) == "Ann plays the 9 of hearts."
    meld = TableText().event(ActionPlayed(1, 0, "9h 9c"), NAMES)
    assert meld == "Ann plays the 9 of hearts and the 9 of clubs."


class Hints(CardTable[Cards]):
    """A table with many visible cards and buttons."""

    buttons = ("red", "blue", "green", "grey", "drop")

    def hands(self, view: Cards, seat: Watcher) -> Sequence[Sequence[Face]]:
        return [[Face(words="r1", note="1 2 3")] * 4] * 4

    def piles(self, view: Cards, seat: Watcher) -> Mapping[str, Sequence[Face]]:
        return {"next": [Face(words="b2")] * 4}


def hints(*, narrow: bool) -> ET.Element:
    """Return the table of a player with a choice for each button, on a small phone."""
    colours = (f"Tell {word}" for word in Hints.buttons[:4])
    choices = [Clickable(label, label, (f"do {label[5:]}",)) for label in colours]
    choices.append(Clickable("drop", "Drop", ("do drop",)))
    scene = Scene(NAMES[:4], 0, (0,), choices, narrow=narrow, short=True)
    return ET.fromstring(Hints().draw(Cards([]), scene))


@pytest.mark.parametrize("narrow", [False, True])
def test_a_crowded_table_fits_on_a_small_phone_with_texts_that_can_be_read(narrow: bool) -> None:
    root = hints(narrow=narrow)
    assert root.get("viewBox") == ("0 0 320 345" if narrow else "0 0 515 319")
    texts = [it for it in root.iter() if it.tag.endswith("}text")]
    assert min(float(it.get("font-size", 0)) for it in texts) >= 12
    assert "…" not in words(root)


def test_buttons_that_begin_with_the_same_word_share_it() -> None:
    root = hints(narrow=True)
    assert words(root).count("Tell") == 1
    labels = [parts(root)[f"do {word}"].get("aria-label") for word in ("red", "drop")]
    assert labels == ["Tell red", "Drop"]


def test_a_low_card_shows_its_texts_one_below_the_other() -> None:
    low = drawn(playing_card(Face(words="r1", note="1 2"), 50, 40))
    (first, size), (second, _) = (
        (float(it.get("y", 0)), float(it.get("font-size", 0)))
        for it in sorted(
            (it for it in low.iter() if it.tag.endswith("}text")),
            key=lambda it: float(it.get("y", 0)),
        )
    )
    assert first + 12 <= second <= 40
    assert size >= 12


def test_a_long_word_leaves_a_margin_on_the_coloured_area_of_a_card() -> None:
    for width in (56, 80, 120):
        picture = drawn(playing_card(Face("b0", "loan", "yellow", note="birch"), width))
        (word,) = (it for it in picture.iter() if words_of(it) == "loan")
        assert width_of(word) <= 0.8 * width


class FullTable(Table):
    """A table with so many piles that a narrow picture has too little room."""

    def market(self, view: Cards) -> Sequence[Face]:
        return [Face(f"thing {number}") for number in range(27)]


class FullTableWithAButton(FullTable):
    buttons: ClassVar[Collection[str]] = ("reveal",)


def test_no_room_is_kept_for_buttons_if_a_narrow_picture_has_too_little() -> None:
    view = Cards([cards("2h 3h"), [BACK]], None, {"played": cards("4h")})
    scene = Scene(NAMES[:2], 0, (1,), narrow=True)
    heights = [
        float(ET.fromstring(it.draw(view, scene)).attrib["height"])
        for it in (FullTable(), FullTableWithAButton())
    ]
    assert heights[1] - heights[0] < 10
