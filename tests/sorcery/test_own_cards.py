"""Custom cards: their sources, their validation, and effects that fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.sorcery.programs import run_here
from tests.sorcery.scenes import BOTH, Scene, cast, on
from tests.sorcery.wrappers import ByLife, ForEach, Plain, Twice
from tests.tabletop.told import tells
from typing_extensions import override

from sorcery import (
    ALL,
    BOTH_PLAYERS,
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    OPPONENT,
    SELF,
    SPRING_2024,
    TARGET,
    YOU,
    Ability,
    AtLeast,
    AttackOf,
    Card,
    CardsError,
    CardType,
    Count,
    Damage,
    Destroy,
    Draw,
    Edition,
    Effect,
    EffectContext,
    GainLife,
    If,
    RepeatSpell,
    Sorcery,
    Strengthen,
    Summon,
    Target,
    Together,
    Trigger,
    TriggerEvent,
    When,
    Whose,
    enchantment,
    minion,
    ritual,
    spell,
)
from sorcery.cards.editions import add_cards_from_file, add_plugin_cards, load_cards
from sorcery.cards.errors import CardFailed
from sorcery.cards.state import CardInstance
from sorcery.cards.validation import check_cards, has_custom_classes
from tabletop import Match, RegistryError

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


def test_an_edition_plays_with_added_cards(tmp_path: Path) -> None:
    edition = add_cards_from_file(SPRING_2024, written(tmp_path, BIRD))
    match = Match(Sorcery(edition), options={"deck1": "bird", "testing": True})
    match.play(match.parse("play 1"))
    assert [minion.card for minion in match.state.sides[0].minions] == ["Bird"]


@BOTH
def test_the_example_adds_five_cards_of_all_types_to_either_edition(edition: Edition) -> None:
    cards = load_cards(EXAMPLE)
    assert len(cards) == 5
    assert {card.type for card in cards} == set(CardType)
    assert set(cards) <= set(add_cards_from_file(edition, EXAMPLE).card_set)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "birds.py: CARDS ... not defined ... CARDS = (FIRST, SECOND)"),
        (
            "CARDS = 3",
            "birds.py: CARDS ... tuple ... int ... CARDS = (FIRST, SECOND)",
        ),
        (
            BIRD + "\nCARDS = BIRD",
            "birds.py: CARDS ... tuple ... not Card ... CARDS = (FIRST, SECOND)",
        ),
        (BIRD + "\nCARDS += ['x']", "birds.py: CARDS: number 2 ... str"),
        ("\n1 +* 2", "birds.py: invalid syntax (birds.py, line 2)"),
        ("\n\n1 / 0", "birds.py: ZeroDivisionError: division by zero (birds.py, line 3)"),
        ("raise SystemExit", "birds.py: SystemExit:  (birds.py, line 1)"),
        (
            BIRD + "\nminion('Egg', cost=0, attack=1, defence=0)",
            "birds.py: CardsError: Egg: ... 0, ... defence ... 1",
        ),
    ],
)
def test_an_invalid_file_of_cards_is_reported_with_the_place(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(CardsError) as caught:
        add_cards_from_file(SPRING_2024, written(tmp_path, text))
    assert tells(str(caught.value), f"{tmp_path}/{message}")


Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package with a module of cards during a test."""

    def installed(text: str, points: str) -> None:
        name = f"cards_{tmp_path.name.replace('-', '_')}"
        written(tmp_path, text, f"{name}.py")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", "utf-8")
        lines = f"[sorcery.cards]\n{points.replace('MODULE', name)}\n"
        (info / "entry_points.txt").write_text(lines, "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))

    return installed


@pytest.mark.parametrize("edition", ["2017", "2024"])
def test_an_installed_package_adds_cards_to_every_edition(
    edition: str, install: Install, tmp_path: Path
) -> None:
    nest = "\nNEST = minion('Nest', cost=1, attack=0, defence=4)"
    install(BIRD + nest, "b = MODULE:CARDS\na = MODULE:NEST")
    (tmp_path / "own.deck").write_text("Bird\nNest\n")
    words = ["-testing", f"-edition={edition}", f"-deck1={tmp_path / 'own.deck'}"]
    printed = run_here(words, "play 1\nplay 1\n")
    assert "Sean plays Bird." in printed.stdout
    assert "Sean plays Nest." in printed.stdout


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("MODULE:NOTHING", r"plugin a \(.*:NOTHING\): AttributeError: .*NOTHING"),
        ("no_such_module:CARDS", r"plugin a \(.*\): ModuleNotFoundError: .*no_such_module"),
        ("MODULE:minion", r"plugin a \(.*:minion\): CARDS .*\btuple\b"),
        ("MODULE:__name__", r"plugin a \(.*\): CARDS: number 1 .* str\b"),
        (
            "sorcery.cards.all_cards:CARDS_2024",
            r"plugin a \(.*\): .*'Air Elemental'",
        ),
    ],
)
def test_a_package_without_cards_is_named(install: Install, point: str, message: str) -> None:
    install(BIRD, f"a = {point}")
    with pytest.raises((CardsError, RegistryError), match=message):
        add_plugin_cards(SPRING_2024)
    assert run_here(names="").status == 2


# Validation of cards, alone and as a set.


NUMBER: Any = 1
PLAYER: Any = YOU
MINION: Any = EVENT_MINION
EVERYTHING: Any = ALL
"""Arguments of a wrong type, as authors of cards without a type checker pass them."""

AIM = "Damage ... target, ... none"
NO_SUBJECT = "Damage ... set the trigger off, ... no minion"
NO_SELF = "Strengthen ... itself, ... not a minion"


YES = AtLeast(1, 1)
THIS_ENTERS = Trigger(When.ENTERS, GainLife(YOU, 1), "odd", Whose.THIS)


@pytest.mark.parametrize(
    ("card", "flaw"),
    [
        (cast(Damage()), AIM),
        (cast(Together(GainLife(YOU, 1), Together(Damage()))), AIM),
        (cast(Damage(), Target.RITUAL), "Damage cannot ... ritual"),
        (cast(Damage(), Target.MINION_OR_RITUAL), "Damage cannot ... ritual"),
        (
            cast(Together(Destroy(), Damage()), Target.MINION_OR_RITUAL),
            "Damage cannot ... ritual",
        ),
        (cast(Damage(EVENT_MINION)), NO_SUBJECT),
        (cast(Strengthen(SELF)), NO_SELF),
        (cast(RepeatSpell()), "RepeatSpell ... spell is played"),
        (cast(Summon("Dragon")), "summons 'Dragon', ... no minion"),
        (cast(Summon("Banish")), "summons 'Banish', ... no minion"),
        (minion("Odd", cost=0, attack=1, defence=1).having(on(When.ENTERS, Damage())), AIM),
        (
            minion("Odd", cost=0, attack=1, defence=1).having(
                on(When.TURN_ENDS, Damage(EVENT_MINION))
            ),
            NO_SUBJECT,
        ),
        (minion("Odd", cost=0, attack=1, defence=1).having(Ability(0, Damage(), "odd")), AIM),
        (
            ritual("Odd", cost=0, charges=1, activation=1).having(
                on(When.ENTERS, Strengthen(SELF))
            ),
            NO_SELF,
        ),
        (ritual("Odd", cost=0, charges=1, activation=1), "ritual needs ... trigger"),
        (
            enchantment("Odd", cost=0, text="odd").having(on(When.SPELL, Damage(EVENT_MINION))),
            NO_SUBJECT,
        ),
        (Card("Odd", CardType.SPELL, 0), "spell needs ... effect"),
        (
            ritual("Odd", cost=0, charges=1, activation=1).having(THIS_ENTERS),
            "ritual ... Whose.THIS",
        ),
        (
            minion("Odd", cost=0, attack=1, defence=1).having(
                Trigger(When.TURN_ENDS, GainLife(YOU, 1), "odd", Whose.THIS)
            ),
            "Whose.THIS ... end of the turn: ",
        ),
    ],
)
def test_an_invalid_card_is_refused(card: Card, flaw: str) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([card])
    assert tells(str(caught.value), f"Odd: ... {flaw}")


# Parts inside other parts are validated, including those inside custom classes.


LOOKS = "AttackOf ... target, ... none"
ROOM = AtLeast(AttackOf(TARGET), 1)
WHOLE = [Damage(), Together(GainLife(YOU, 1), Damage()), Twice(Twice(Damage())), If(YES, Damage())]


@pytest.mark.parametrize(
    ("effect", "flaw"),
    [
        *((effect, AIM) for effect in WHOLE),
        (If(YES, GainLife(YOU, 1), otherwise=Twice(Damage())), AIM),
        (ByLife({"low": (GainLife(YOU, 1), Twice(Damage()))}), AIM),
        (Plain(GainLife(YOU, 1), Damage()), AIM),
        (Damage(FRIENDLY | TARGET), AIM),
        (Damage(ALL.but(TARGET).random()), AIM),
        (Damage(FRIENDLY.but(EVENT_MINION)), NO_SUBJECT),
        (GainLife(YOU, AttackOf(TARGET)), LOOKS),
        (GainLife(YOU, 2 * AttackOf(FRIENDLY | TARGET).up_to(3) + 1), LOOKS),
        (If(ROOM, GainLife(YOU, 1)), LOOKS),
        (Twice(RepeatSpell()), "RepeatSpell ... spell is played"),
        (Twice(Summon("Dragon")), "summons 'Dragon', ... no minion"),
        (Twice(Destroy(ENEMIES | OPPONENT)), "Destroy cannot ... players"),
        (Draw(FRIENDLY, 2), "Draw cannot ... minions"),
        (GainLife(NUMBER, PLAYER), "GainLife ... 1 ... targets: ... TARGET"),
        (Damage(NUMBER, MINION), "Damage ... 1 ... targets: "),
        (Strengthen(SELF, EVERYTHING), "Strengthen ... ALL ... attack: "),
        (GainLife(YOU, Count(BOTH_PLAYERS)), "Count cannot ... players"),
        (ForEach(FRIENDLY, Damage(TARGET)), AIM),
        (ForEach(EVENT_MINION, GainLife(YOU, 1)), "ForEach ... set the trigger off"),
        (Twice(GainLife(YOU, 10_000)), "GainLife ... 10,000, ... 9,999"),
    ],
    ids=lambda it: it if isinstance(it, str) else type(it).__name__,
)
def test_nested_parts_are_validated_at_any_depth(effect: Effect, flaw: str) -> None:
    with pytest.raises(CardsError) as caught:
        SPRING_2024.with_cards([cast(effect)])
    assert tells(str(caught.value), f"Odd: ... {flaw}")


def test_a_composed_selector_cannot_select_a_ritual() -> None:
    with pytest.raises(CardsError, match=r"^Odd: Destroy .*\britual\b.*\bTARGET\b"):
        SPRING_2024.with_cards([cast(Destroy(TARGET | FRIENDLY), Target.MINION_OR_RITUAL)])
    SPRING_2024.with_cards([cast(Destroy(TARGET | FRIENDLY), Target.MINION)])


@pytest.mark.parametrize(
    "effect",
    [
        ForEach(FRIENDLY, Damage(EVENT_MINION)),
        ForEach(FRIENDLY, Twice(GainLife(YOU, AttackOf(EVENT_MINION)))),
    ],
    ids=repr,
)
def test_a_wrapper_provides_needs_to_the_effects_inside(effect: Effect) -> None:
    made = Scene(cards=[cast(effect)]).hand(1, "Odd").board(1, "Potion Seller", "Bone Golem")
    assert made.play("play 1").side(1).life in (20, 24)


@pytest.mark.parametrize(
    "card",
    [
        cast(Destroy(), Target.RITUAL),
        cast(Damage(ALL)),
        minion("Odd", cost=0, attack=1, defence=1).having(Ability(0, Strengthen(SELF), "odd")),
        minion("Odd", cost=0, attack=1, defence=1).having(on(When.ATTACKS, Damage(EVENT_MINION))),
        enchantment("Odd", cost=0, text="odd").having(on(When.LEAVES, Strengthen(SELF))),
        ritual("Odd", cost=0, charges=1, activation=1).having(on(When.SPELL, RepeatSpell())),
    ],
)
def test_a_valid_card_is_accepted(card: Card) -> None:
    assert SPRING_2024.with_cards([card]).cards["Odd"] is card


def test_the_name_of_hidden_cards_is_reserved() -> None:
    with pytest.raises(CardsError, match=r"\bhidden\b"):
        check_cards([minion("?", cost=0, attack=1, defence=1)])


def test_a_card_may_summon_another_card_of_the_same_file() -> None:
    pair = [cast(Summon("Dragon")), minion("Dragon", cost=9, attack=9, defence=9)]
    assert set(SPRING_2024.with_cards(pair).cards) >= {"Odd", "Dragon"}


@pytest.mark.parametrize(
    ("card", "own"),
    [
        (cast(Together(GainLife(YOU, 1), GainLife(YOU, 2))), False),
        (cast(Together(GainLife(YOU, 1), Twice(GainLife(YOU, 2)))), True),
        (minion("Odd", cost=0, attack=1, defence=1), False),
        (
            minion("Odd", cost=0, attack=1, defence=1).having(Ability(0, Twice(Draw()), "odd")),
            True,
        ),
        (
            ritual("Odd", cost=0, charges=1, activation=1).having(
                on(When.SPELL, Plain(GainLife(YOU, 2)))
            ),
            True,
        ),
    ],
)
def test_custom_classes_are_found_at_any_depth(card: Card, own: bool) -> None:
    assert has_custom_classes([card]) is own


# Mistakes in a file of cards are reported with the name of the file.


JAY = "minion('Bird', cost=1, attack=1, defence=1)"

MISTAKES = {
    "minion('Bird', 0, 1, 2)": ": TypeError: minion() takes 1 positional argument",
    "minion('Bird', cost=1, atack=1, defence=1)": ": TypeError: minion() got an unexpected",
    "minion('Bird', cost='1', attack=1, defence=1)": ": TypeError: ",
    "Trigger(When.ENTER, Draw(), 'Draw')": ": AttributeError: type object 'When' has no",
    "spell('Sing', 'Draw', 'Draw', cost=1)": ": Sing: 'Draw' is not an effect",
    "Together()": ": CardsError: Together needs effects, for example Together(Draw(), Damage())",
    "Damage(ENEMIES or OPPONENT)": ": TypeError: a selector has no value outside a match",
    f"{JAY}.having(CannotAttack)": ": CardsError: Bird: a minion cannot have <class",
    f"{JAY}.having(Draw())": ": CardsError: Bird: a minion cannot have Draw(targets=YOU, count=1)",
    "spell('Sing', Draw(), 'Draw', cost=1).having(Silenced())": (
        ": CardsError: Sing: a spell cannot have Silenced()"
    ),
    "ritual('O', cost=0, charges=1, activation=1).having(AbilityCost(1))": (
        ": CardsError: O: a ritual cannot have AbilityCost(more=1)"
    ),
    f"{JAY}.having(Trigger(When.DIES, Draw, 'Draw'))": (
        ": Bird: <class 'sorcery.cards.effects.Draw'> is"
    ),
    f"{JAY}.having(Trigger(When.DIES, 'Draw', 'Draw'))": ": Bird: 'Draw' is not an effect",
    "minion('Bird', cost=1, attack=10000, defence=1)": ": CardsError: Bird: ",
    "ritual('Oak', cost=1, charges=10**9, activation=1)": ": CardsError: Oak: ",
    "minion('Bird', cost=-1, attack=1, defence=1)": ": CardsError: Bird: costs and charges",
    "minion('Bi\\x07rd', cost=1, attack=1, defence=1)": ": CardsError: 'Bi\\x07rd' is not a",
    "spell('Sing', Draw(), 'Draw', Target.MINION, cost=1)": (
        ": Sing: the card names a minion, but no effect acts on TARGET"
    ),
    "ritual('Oak', cost=1, charges=1, activation=2).having(Trigger(When.DIES, Draw(), 'Draw'))": (
        ": Oak: each of its triggers uses up 2 charges, but the ritual starts with 1"
    ),
    "minion('Banish', cost=1, attack=1, defence=1)": (
        ": two cards have the name 'Banish', and one belongs to the 2024 edition"
    ),
}
"""Wrong expressions, and the error message after the name of the file."""


@pytest.mark.parametrize("written", MISTAKES)
def test_a_mistake_in_a_card_is_reported_with_its_place(tmp_path: Path, written: str) -> None:
    path = tmp_path / "odd.py"
    path.write_text(f"from sorcery import *\nCARDS = [{written}]\n", "utf-8")
    with pytest.raises(CardsError) as caught:
        add_cards_from_file(SPRING_2024, path)
    assert str(caught.value).startswith(f"{path}{MISTAKES[written]}")


# Custom effects with forbidden results: the error names the card.


@dataclass(frozen=True)
class Own(Effect):
    """An effect whose behaviour is set by a test."""

    do: Callable[[Any], object]

    @override
    def happen(self, context: EffectContext) -> None:
        self.do(context)


def side(context: Any) -> Any:
    return context.engine.side(context.seat)


NONSENSE: dict[str, tuple[Callable[[Any], object], str]] = {
    "a text in a hand": (
        lambda it: side(it).hand.append("Banana"),
        r"an invalid state: .*sides\[0\].hand\[0\]",
    ),
    "a card on the board": (
        lambda it: side(it).minions.append(CardInstance("Air Elemental", 1, 1)),
        r"an invalid state: .*sides\[0\].minions\[1\]",
    ),
    "half a magic": (
        lambda it: setattr(side(it), "magic", 20.5),
        r"an invalid state: .*sides\[0\].magic",
    ),
    "a card that there is not": (
        lambda it: side(it).deck.append(CardInstance("Banana")),
        "uses an unknown card: 'Banana'",
    ),
}


@pytest.mark.parametrize(("do", "complaint"), NONSENSE.values(), ids=NONSENSE)
def test_an_invalid_value_in_a_zone_is_an_error_that_names_the_card(
    do: Callable[[Any], object], complaint: str
) -> None:
    made = Scene(cards=[spell("Muddle", Own(do), "Muddle", cost=0)])
    with pytest.raises(CardFailed, match=f"^Muddle .*{complaint}"):
        made.board(1, "Air Elemental").hand(1, "Muddle").play("play 1")


MUDDLE = Own(lambda context: side(context).graveyard.append("Banana"))
IMP = minion("Imp", cost=0, attack=1, defence=1)


@pytest.mark.parametrize(
    ("card", "line"),
    [
        (IMP.having(Ability(0, MUDDLE, "Muddle")), "use 1"),
        (IMP.having(Trigger(When.TURN_ENDS, MUDDLE, "Muddle")), "end"),
    ],
)
def test_the_error_names_the_card_with_the_failing_ability_or_trigger(
    card: Card, line: str
) -> None:
    with pytest.raises(CardFailed, match=r"^Imp .*: .*graveyard"):
        Scene(cards=[card]).board(1, "Imp").play(line)


@pytest.mark.parametrize(("when", "cause"), [(When.DIES, "minion"), (When.SPELL, "spell")])
def test_firing_an_event_without_its_cause_is_an_error_that_names_the_card(
    when: TriggerEvent, cause: str
) -> None:
    bell = spell("Bell", Own(lambda it: it.engine.fire(when, it.seat)), "Ring", cost=0)
    effect = RepeatSpell() if when == When.SPELL else Strengthen(EVENT_MINION, 1, 1)
    listener = ritual("Listener", cost=0, charges=9, activation=1).having(
        Trigger(when, effect, "Listen")
    )
    with pytest.raises(CardFailed, match=f"^Bell fires '{when}' without its {cause}"):
        Scene(cards=[bell, listener]).hand(1, "Bell").play("play 1")


OWN_FILE = """
from sorcery import Effect, spell

class Muddle(Effect):
    def happen(self, context):
        context.engine.side(0).hand.append("Banana")

CARDS = [spell("Muddle", Muddle(), "Muddle", cost=0)]
"""


def test_the_program_names_the_failing_card_and_continues(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN_FILE)
    (tmp_path / "own.deck").write_text("Muddle\n")
    words = ["-testing", f"-cards={tmp_path / 'own.py'}", f"-deck1={tmp_path / 'own.deck'}"]
    lines = run_here(words, "play 1\nend\nquit\n").stdout.splitlines()
    (place,) = (number for number, line in enumerate(lines) if line.startswith("Muddle leaves"))
    assert lines[place].endswith("Nothing has changed.")
    assert lines[place + 1] == "Sean ends the turn."
