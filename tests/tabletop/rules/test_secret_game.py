"""`SecretGame`: views, masked events and redeals from the declarations of fields."""

from __future__ import annotations

import inspect
import re
import types
from collections import deque
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from tests.tabletop.games import cards, rps
from tests.tabletop.rules.secret_views import redealt, seen

from tabletop import (
    EVERYBODY,
    NOBODY,
    OWNER,
    ActionPlayed,
    ContractError,
    Event,
    Game,
    Match,
    Outcome,
    Seat,
    SecretGame,
    State,
    Streams,
    event,
    secret,
    state,
)
from tabletop.rules import masking_of
from tabletop.states.masking import holds_secrets
from tabletop.states.schema import schema_of
from tabletop.testing import LawBroken, check_game


@state
class Trick(State):
    deck: list[int] = secret(to=NOBODY, back=0)
    hands: list[list[int]] = secret(to=OWNER, back=0)
    removed: int | None = secret(to=NOBODY, back=0)
    open: list[int]


def trick() -> Trick:
    return Trick([1, 2, 3, 4], [[5, 6], [7, 8, 9]], 10, [11])


def test_a_view_masks_hidden_cards() -> None:
    assert seen(trick(), 0) == Trick([0] * 4, [[5, 6], [0] * 3], 0, [11])
    assert seen(trick(), 1) == Trick([0] * 4, [[0, 0], [7, 8, 9]], 0, [11])
    assert seen(trick(), None) == Trick([0] * 4, [[0, 0], [0] * 3], 0, [11])


def test_a_view_can_be_changed_without_changing_the_state() -> None:
    whole = trick()
    view = seen(whole, 0)
    view.hands[0].clear()
    view.open.clear()
    assert whole == trick()


def test_a_redeal_deals_hidden_cards_with_the_same_back_to_piles_of_the_same_sizes() -> None:
    other = redealt(trick(), 0)
    assert other.hands[0] == [5, 6]
    assert other.open == [11]
    assert [len(other.deck), len(other.hands[1])] == [4, 3]
    assert sorted([*other.deck, *other.hands[1], other.removed or 0]) == [1, 2, 3, 4, 7, 8, 9, 10]
    assert len({tuple(redealt(trick(), 0, f"{it}").deck) for it in range(20)}) > 10


def test_an_empty_place_stays_empty_in_views_and_redeals() -> None:
    whole = trick()
    whole.removed = None
    assert seen(whole, 0).removed is None
    assert redealt(whole, 0).removed is None


@state
class Side(State):
    hand: list[int] = secret(to=OWNER, back=0, pool=OWNER)
    deck: tuple[int, ...] = secret(to=NOBODY, back=0, pool=OWNER)
    stash: deque[int] = secret(to=OWNER, back=0, pool=OWNER)


@state
class Duel(State):
    sides: list[Side]
    by_seat: dict[Seat, Side]


def duel() -> Duel:
    sides = [Side([n, n + 1], (n + 2, n + 3), deque([n + 4])) for n in (10, 20, 30, 40)]
    return Duel(sides[:2], dict(enumerate(sides[2:])))


def test_the_owner_of_a_state_in_a_list_is_its_index() -> None:
    view = seen(duel(), 1)
    assert view.sides[0] == Side([0, 0], (0, 0), deque([0]))
    assert view.sides[1] == Side([20, 21], (0, 0), deque([24]))
    assert view.by_seat[1] == Side([40, 41], (0, 0), deque([44]))
    assert view.by_seat[0] == Side([0, 0], (0, 0), deque([0]))


def test_a_pool_per_owner_keeps_the_cards_of_owners_separate() -> None:
    other = redealt(duel(), None)
    pools = [
        {*a.hand, *a.deck, *a.stash, *b.hand, *b.deck, *b.stash}
        for a, b in zip(other.sides, other.by_seat.values(), strict=True)
    ]
    assert pools == [{*range(10, 15), *range(30, 35)}, {*range(20, 25), *range(40, 45)}]


VOTES = ("yes", "no")


def judge_sees(whole: Jury, seat: Seat | None, owner: Seat) -> bool:
    return seat == owner or seat == whole.judge


@state
class Jury(State):
    judge: Seat
    votes: list[Literal["yes", "no"] | None] = secret(to=judge_sees, back="?", choices=VOTES)
    drawn: list[int] = secret(to=EVERYBODY, back=0)
    card: tuple[int, str] = secret(to=NOBODY, back=(0, "?"))
    coins: list[int] = secret(to=OWNER, back=-1, pool="coins")
    rows: tuple[tuple[int, ...], ...] = secret(to=OWNER, back=0)


def jury() -> Jury:
    return Jury(2, ["yes", None, "no"], [1, 2], (3, "x"), [5, 6, 7], ((1, 2), (3,), (4, 5, 6)))


def test_a_function_decides_which_seats_see_a_field() -> None:
    assert seen(jury(), 0).votes == ["yes", None, "?"]
    assert seen(jury(), 2).votes == ["yes", None, "no"]
    assert seen(jury(), None).votes == ["?", None, "?"]
    assert seen(jury(), None).drawn == redealt(jury(), None).drawn == [1, 2], "everybody sees it"


def test_cards_may_be_tuples_in_tuples() -> None:
    view = seen(jury(), 1)
    assert view.card == (0, "?")
    assert view.rows == ((0, 0), (3,), (0, 0, 0))
    assert redealt(jury(), 1).rows[1] == (3,)


def test_a_chosen_value_is_redealt_as_any_choice() -> None:
    votes = {tuple(redealt(jury(), 0, f"{it}").votes) for it in range(30)}
    assert votes == {("yes", None, "yes"), ("yes", None, "no")}


def test_cards_of_different_pools_are_not_mixed() -> None:
    other = redealt(jury(), 0)
    assert other.coins[0] == 5
    assert sorted(other.coins) == [5, 6, 7]


@state
class Deck(State):
    decks: list[list[int]] = secret(to=OWNER, back=0, pool=OWNER, sorted_by=lambda card: -card)


def test_with_sorted_by_the_owner_sees_the_cards_sorted() -> None:
    decks = Deck([[3, 1, 2], [5, 4, 6]])
    assert seen(decks, 0) == Deck([[3, 2, 1], [0, 0, 0]])
    orders = {tuple(redealt(decks, 0, f"{it}").decks[0]) for it in range(40)}
    assert len(orders) == 6


# Events and actions.


@event
class Drew(Event):
    seat: Seat
    card: int = secret(to=OWNER, back=0)
    rest: tuple[int, ...] = secret(to=NOBODY, back=0)


def by_parity(whole: Trick, seat: Seat | None, event: Looked) -> bool:
    return seat in (event.seat, event.target)


@event
class Looked(Event):
    seat: Seat
    target: Seat
    hand: list[int] = secret(to=by_parity, back=0)


class Tricks(SecretGame[Trick, int]):
    """A game whose views and events are tested."""

    name = "tricks-told"

    def setup(self, options: Any, seats: int, rng: Streams) -> Trick:
        return trick()

    def to_act(self, state: Trick) -> tuple[Seat, ...]:
        return ()

    def legal_actions(self, state: Trick, seat: Seat) -> list[int]:
        return []

    def apply(self, state: Trick, action: int, table: Any) -> None:
        state.open.append(action)

    def outcome(self, state: Trick) -> None:
        return None


def told(happened: Event) -> dict[Seat | None, Event | None]:
    return {seat: Tricks().view_event(happened, trick(), seat) for seat in (0, 1, 2, None)}


def test_secret_fields_of_events_are_masked() -> None:
    heard = told(Drew(1, 7, (8, 9)))
    assert heard[1] == Drew(1, 7, (0, 0))
    assert heard[0] == heard[None] == Drew(1, 0, (0, 0))


@event
class Burnt(Event):
    card: int = secret(to=OWNER, back=0)


def test_without_an_owner_no_seat_or_spectator_sees_the_field() -> None:
    assert set(told(Burnt(7)).values()) == {Burnt(0)}


def test_the_function_for_a_field_of_an_event_gets_the_event() -> None:
    heard = told(Looked(0, 2, [5, 6]))
    assert heard[0] == heard[2] == Looked(0, 2, [5, 6])
    assert heard[1] == heard[None] == Looked(0, 2, [0, 0])


def test_other_seats_receive_an_action_with_a_secret_as_none() -> None:
    match = Match(rps.GAME, seed="on three", seats=3)
    heard: dict[Seat | None, list[Any]] = {0: [], 1: [], None: []}
    for seat, events in heard.items():
        match.observe(events.append, ActionPlayed, seat=seat)
    for show in (rps.Show(0, "rock"), rps.Show(2, "paper"), rps.Show(1, "rock")):
        match.play(show)
    assert [it.action for it in heard[0]] == [rps.Show(0, "rock"), None, rps.Show(1, "rock")]
    assert [it.action for it in heard[None]] == [None, None, rps.Show(1, "rock")]


@pytest.mark.slow
@pytest.mark.parametrize("game", [cards.GAME, rps.GAME], ids=["cards", "rps"])
def test_games_with_declared_secrets_pass_check_game(game: Game[Any, Any]) -> None:
    assert check_game(game, matches=2).matches == 2


# Refused declarations.


def refusal(kind: Any) -> str:
    with pytest.raises(ContractError) as caught:
        masking_of(kind)
    return str(caught.value)


def declared(hint: Any, **options: Any) -> Any:
    """Return a class of states with one secret field."""
    space = {"__annotations__": {"cards": hint}, "__module__": __name__}
    return state(type("Odd", (), {**space, "cards": secret(**options)}))


@pytest.mark.parametrize(
    ("hint", "options", "message"),
    [
        (
            list[int],
            {"to": NOBODY, "back": "?"},
            r"\bOdd\.cards: .*\bback '\?' .*\btype .*\bint\b",
        ),
        (
            set[int],
            {"to": NOBODY, "back": 0},
            r"\bOdd\.cards: .*\bback 0 .*\ba list\b",
        ),
        (list[int], {"to": NOBODY, "back": []}, r"\bOdd\.cards: .*\bback \[\] .*\bmutable\b"),
        (int, {"to": OWNER, "back": 0}, r"\bOWNER .*\bint .*\blist\b"),
        (dict[str, int], {"to": OWNER, "back": 0}, r"\bdict\[Seat, \.\.\.\]"),
        (int, {"to": NOBODY, "back": 0, "known": "seen"}, r"\bint .*\bknown or sorted\b"),
        (int, {"to": NOBODY, "back": 0, "sorted_by": abs}, r"\bint .*\bknown or sorted\b"),
        (
            list[int],
            {"to": NOBODY, "back": 0, "sorted_by": abs, "choices": (1, 2)},
            "`choices` .*`known` .*`sorted_by`",
        ),
    ],
)
def test_an_invalid_declaration_is_refused_with_a_correction(
    hint: Any, options: dict[str, Any], message: str
) -> None:
    assert re.search(message, refusal(declared(hint, **options)))


def test_a_field_with_several_classes_of_states_cannot_contain_secrets() -> None:
    space = {"__annotations__": {"it": Trick | Deck | None}, "__module__": __name__}
    message = refusal(state(type("Either", (State,), space)))
    assert "contain secrets" in message


@state
class Branch(State):
    """A state that contains its own type, without secrets."""

    below: list[Branch]
    twin: Branch | None = None


@state
class Vault(State):
    """A state that contains its own type, with a secret."""

    below: list[Vault]
    card: int = secret(to=NOBODY, back=0)


def test_a_class_may_contain_its_own_type() -> None:
    assert not holds_secrets(schema_of(Branch))
    assert not holds_secrets(schema_of(list[Branch]))
    assert holds_secrets(schema_of(Vault))
    assert "Branch: no field" in refusal(Branch)
    assert seen(Vault([Vault([], 3)], 5), 0) == Vault([Vault([], 0)], 0)
    assert redealt(Vault([Vault([], 3)], 3), 0) == Vault([Vault([], 3)], 3)


def test_a_game_with_an_invalid_secret_is_refused_when_it_is_defined() -> None:
    bases: Any = SecretGame
    base = bases[declared(int, to=OWNER, back=0), int]
    with pytest.raises(ContractError, match=r"Odd\.cards: .*\bOWNER\b"):
        types.new_class("Bad", (base,))


def test_a_plain_game_with_declared_secrets_is_refused() -> None:
    with pytest.raises(ContractError, match=r"\(deck, hands, removed\), .*\bLeaky\b"):

        class Leaky(Game[Trick, int]):
            """A game that does not override `view`."""


@dataclass
class Sides:
    """A state that contains states with secrets."""

    sides: list[Side]

    def clone(self) -> Sides:
        return Sides([side.clone() for side in self.sides])


class Shallow(Game[Sides, str]):
    """A game whose view shows secrets inside its state."""

    name = "shallow"

    def setup(self, options: Any, seats: int, rng: Streams) -> Sides:
        return Sides([Side([1], (2,), deque()), Side([3], (4,), deque())])

    def to_act(self, state: Sides) -> tuple[Seat, ...]:
        return (0,) if state.sides[0].hand else ()

    def legal_actions(self, state: Sides, seat: Seat) -> list[str]:
        return ["lay"]

    def apply(self, state: Sides, action: str, table: Any) -> None:
        state.sides[0].hand.clear()

    def outcome(self, state: Sides) -> Outcome | None:
        return None if state.sides[0].hand else Outcome.draw(2)


def test_check_game_finds_declared_secrets_that_a_view_shows() -> None:
    with pytest.raises(LawBroken, match=r"\bSides .*\bsecrets, .*\bview\b") as caught:
        check_game(Shallow(), matches=1)
    assert caught.value.law == "views"


def test_the_source_of_the_generated_function_is_available() -> None:
    source = inspect.getsource(masking_of(Trick).replaced)
    assert "copy.hands = [it.copy() if owner == seat else work.hidden(" in source


# Tuples of fixed length.


@state
class Pairs(State):
    """Pairs of cards, of hands, and a pair with an empty place."""

    deck: tuple[int, int] = secret(to=NOBODY, back=0)
    card_of: tuple[int, int] = secret(to=OWNER, back=0)
    hands: tuple[list[int], list[int]] = secret(to=OWNER, back=0)
    place: tuple[int | None, int] = secret(to=NOBODY, back=0)


def test_tuples_of_fixed_length_may_contain_cards_and_hands() -> None:
    pairs = Pairs((1, 2), (3, 4), ([5], [6, 7]), (None, 8))
    assert seen(pairs, 0) == Pairs((0, 0), (3, 0), ([5], [0, 0]), (None, 0))
    assert seen(pairs, None) == Pairs((0, 0), (0, 0), ([0], [0, 0]), (None, 0))
    other = redealt(pairs, 1)
    assert seen(other, 1) == seen(pairs, 1)
    dealt = [*other.deck, *other.card_of, *other.hands[0], *other.hands[1], other.place[1]]
    assert sorted(dealt) == list(range(1, 9))


@event
class PairShown(Event):
    seat: int
    pair: tuple[str, str] = secret(to=OWNER, back="?")


@dataclass(frozen=True)
class PassPair:
    """Pass two cards to another seat."""

    pair: tuple[str, str] = secret(to=OWNER, back="?")


def test_the_owner_sees_a_tuple_of_fixed_length_in_an_event_or_action() -> None:
    shown = PairShown(1, ("a", "b"))
    played = ActionPlayed(1, 1, PassPair(("a", "b")))
    game: Any = rps.GAME  # any `SecretGame`, because the class of an event determines its view
    for seat in (0, None):
        assert game.view_event(shown, None, seat) == PairShown(1, ("?", "?"))
        assert game.view_event(played, None, seat) == ActionPlayed(1, 1, None)
    assert game.view_event(shown, None, 1) == shown
    assert game.view_event(played, None, 1) == played


@pytest.mark.parametrize("hint", [tuple[str, int], set[str], tuple[str, list[str]]])
def test_an_event_with_an_invalid_secret_is_refused_when_it_is_defined(hint: Any) -> None:
    space = {"__annotations__": {"pair": hint}, "__module__": __name__}
    with pytest.raises(ContractError, match=r"^Odd\.pair"):
        event(type("Odd", (Event,), {**space, "pair": secret(to=OWNER, back="?")}))


@pytest.mark.parametrize("other", [None, int])
def test_an_action_with_an_invalid_secret_is_refused_when_the_game_is_defined(other: Any) -> None:
    space = {"__annotations__": {"pair": tuple[str, int]}, "__module__": __name__}
    action: Any = dataclass(type("Odd", (), {**space, "pair": secret(to=OWNER, back="?")}))
    generic: Any = SecretGame
    base = generic[Pairs, action | other if other else action]
    with pytest.raises(ContractError, match=r"^Odd\.pair"):
        types.new_class("Bad", (base,))


def test_an_event_may_name_a_class_that_is_defined_later() -> None:
    space = {"__annotations__": {"card": "DefinedLater"}, "__module__": __name__}
    event(type("Early", (Event,), {**space, "card": secret(to=OWNER, back="?")}))
