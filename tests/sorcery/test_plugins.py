"""Cards of one's own: from a file, and from installed packages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sorcery.scenes import BOTH

from sorcery import SPRING_2024, CardsError, CardType, Edition, Sorcery
from sorcery.plugins import load_cards, plugin_cards, with_own_cards
from tabletop import Match

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_cards.py"

BIRD = """
from sorcery import minion

BIRD = minion("Bird", cost=0, attack=1, defence=1)
CARDS = [BIRD]
"""


def written(folder: Path, text: str, name: str = "birds.py") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_file_brings_its_cards(tmp_path: Path) -> None:
    (bird,) = load_cards(written(tmp_path, BIRD))
    assert (bird.name, bird.attack) == ("Bird", 1)


def test_an_edition_with_own_cards_plays_with_them(tmp_path: Path) -> None:
    edition = with_own_cards(SPRING_2024, written(tmp_path, BIRD))
    match = Match(Sorcery(edition), options={"deck1": "bird", "testing": True})
    match.play(match.parse("play 1"))
    assert [minion.card for minion in match.state.sides[0].minions] == ["Bird"]


@BOTH
def test_the_example_adds_five_cards_of_every_type_to_either_edition(edition: Edition) -> None:
    cards = load_cards(EXAMPLE)
    assert len(cards) == 5
    assert {card.type for card in cards} == set(CardType)
    assert set(cards) <= set(with_own_cards(edition, EXAMPLE).card_set)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "birds.py: there is no CARDS; write: CARDS = (FIRST, SECOND)"),
        ("CARDS = 3", "birds.py: CARDS is of type int; write: CARDS = (FIRST, SECOND)"),
        (
            BIRD + "\nCARDS = BIRD",
            "birds.py: CARDS is of type Card; write: CARDS = (FIRST, SECOND)",
        ),
        (BIRD + "\nCARDS += ['x']", "birds.py: CARDS: number 2 is of type str, not a card"),
        ("\n1 +* 2", "birds.py: invalid syntax (birds.py, line 2)"),
        ("\n\n1 / 0", "birds.py, line 3: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "birds.py, line 1: SystemExit: "),
        (
            BIRD + "\nminion('Egg', cost=0, attack=1, defence=0)",
            "birds.py, line 7: Egg: attack is at least 0, and defence at least 1",
        ),
        (
            "from sorcery import Change\n\ndef half():\n    return Change('/', 2)\n\nhalf()\n",
            "birds.py, line 4: '/' is no sign of a change; signs are +, - and *",
        ),
    ],
)
def test_a_file_that_does_not_hold_cards_is_told_what_is_wrong_and_where(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(CardsError) as caught:
        load_cards(written(tmp_path, text))
    assert str(caught.value).removeprefix(f"{tmp_path}/") == message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CardsError, match=r"nobody\.py: there is no such file"):
        load_cards(tmp_path / "nobody.py")


def test_cards_that_do_not_go_with_the_edition_are_named_with_their_file(tmp_path: Path) -> None:
    path = written(tmp_path, BIRD.replace('"Bird"', '"banish"'))
    with pytest.raises(CardsError) as caught:
        with_own_cards(SPRING_2024, path)
    assert (
        str(caught.value)
        == f"{path}: two cards are called 'banish'; one is a card of the edition 2024"
    )


Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a package with a module of cards, for the length of a test."""

    def installed(module: str, points: str) -> None:
        name = f"cards_{tmp_path.name.replace('-', '_')}"
        written(tmp_path, module, f"{name}.py")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", "utf-8")
        lines = ["[sorcery.cards]", *points.replace("MODULE", name).splitlines()]
        (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))

    return installed


def test_without_plugins_there_are_no_more_cards() -> None:
    assert plugin_cards() == ()


def test_an_installed_package_brings_its_cards_one_or_several(install: Install) -> None:
    install(
        BIRD + "\nNEST = minion('Nest', cost=1, attack=0, defence=4)",
        "b = MODULE:CARDS\na = MODULE:NEST",
    )
    assert [card.name for card in plugin_cards()] == ["Nest", "Bird"]
    assert {"Nest", "Bird"} <= set(SPRING_2024.with_cards(plugin_cards()).cards)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ("a = MODULE:NOTHING", r"plugin a \(.*:NOTHING\): AttributeError: .*NOTHING"),
        ("a = no_such_module:CARDS", r"plugin a \(.*\): ModuleNotFoundError: .*no_such_module"),
        ("a = MODULE:minion", r"plugin a \(.*:minion\) is of type function, not cards"),
        ("a = MODULE:__name__", r"plugin a \(.*\): number 1 is of type str, not a card"),
    ],
)
def test_a_plugin_that_brings_no_cards_is_named(
    install: Install, points: str, message: str
) -> None:
    install(BIRD, points)
    with pytest.raises(CardsError, match=message):
        plugin_cards()
