"""Games without a command table: all possible actions are parsed, and refused with a reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import rps
from tests.tabletop.rules.test_why_not import Spot, Wander
from typing_extensions import override

from tabletop import CommandError, IllegalAction, Match, Options, Seat
from tabletop.display import TextView
from tabletop.errors import NotYourTurn
from tabletop.registry import load
from tabletop.rules import complete_text
from tabletop.rules.action_text import ActionTexts


class Hold(Wander):
    """Roll before you hold."""

    seats = range(1, 3)

    @override
    def legal_actions(self, state: Spot, seat: Seat) -> Sequence[str]:
        return ("roll", "hold") if state.moves else ("roll",)

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[str] | None:
        return ("roll", "hold")

    @override
    def check(self, state: Spot, action: str) -> None:
        if action == "hold" and not state.moves:
            raise IllegalAction("there are no points to hold")


class Silent(Hold):
    """A game whose `all_actions` returns None."""

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[str] | None:
        return None


def test_an_action_that_is_not_legal_now_is_refused_with_the_reason_of_check() -> None:
    match = Match(Hold(), seed=1)
    with pytest.raises(IllegalAction, match="there are no points to hold"):
        match.play(match.parse(" HOLD "))
    match.play(match.parse("roll"))
    assert match.actions == ("roll",)


def test_a_text_that_is_never_an_action_raises_a_command_error() -> None:
    with pytest.raises(CommandError, match=r"^'fold' .*: roll\b"):
        Match(Hold(), seed=1).parse("fold")
    match = Match(Silent(), seed=1)
    assert match.all_actions is None
    with pytest.raises(CommandError, match=r"^'hold' .* roll"):
        match.parse("hold")


def test_the_error_for_an_occupied_cell_names_the_cell() -> None:
    match = Match(load(TICTACTOE).game, seed=1)
    match.play(match.parse("5"))
    with pytest.raises(IllegalAction, match="cell 5 is taken"):
        match.play(match.parse("5"))


def test_an_action_of_another_seat_raises_a_command_error() -> None:
    shows = [rps.Show(seat, hand) for seat in (0, 1) for hand in rps.HANDS]
    texts = ActionTexts(shows)
    assert texts.find("Rock", 1, alone=False) == rps.Show(1, "rock")
    assert texts.find("rock", 2, alone=False) is None
    assert texts.find("well", 1, alone=True) is None
    # If only one seat is to act, a field called seat may be the target of the action.
    assert ActionTexts(shows[3:]).find("rock", 0, alone=True) == rps.Show(1, "rock")


def test_all_actions_is_called_once_for_the_same_options_and_seats() -> None:
    class Counts(Hold):
        worked_out = 0

        @override
        def all_actions(self, options: Options, seats: int) -> Sequence[str] | None:
            self.worked_out += 1
            return super().all_actions(options, seats)

    game = Counts()
    for seats in (1, 2, 1, 2):
        assert Match(game, seed=1, seats=seats).all_actions == ("roll", "hold")
    assert game.worked_out == 2


def test_complete_text_returns_the_next_words_of_matching_actions() -> None:
    actions = ("Take a cup", "take  all", "drop a cup", "leave")
    assert complete_text("", actions) == ["Take", "take", "drop", "leave"]
    assert complete_text("TA", actions) == ["Take", "take"]
    assert complete_text("take ", actions) == ["a", "all"]
    assert complete_text("take a", actions) == ["a", "all"]
    assert complete_text("take a ", actions) == ["cup"]
    assert complete_text("take a cup ", actions) == []


def test_a_match_completes_legal_actions_first_and_then_all_actions() -> None:
    match = Match(Hold(), seed=1)
    assert match.complete("") == ["roll"]
    assert match.complete("h") == ["hold"]
    assert Match(Silent(), seed=1).complete("h") == []
    assert Match(load("lcr").game, seed=1).complete("r") == ["roll"]


MOVES = {"b3c4": "bxc4", "d3c4": "Bxc4", "g1f3": "Nf3+", "e7e8": "e8=Q", "h1h8": "Rh8"}


class Moves(Hold):
    """A game whose actions have labels. The move of the rook is not legal."""

    @override
    def legal_actions(self, state: Spot, seat: Seat) -> Sequence[str]:
        return [*MOVES][:-1]

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return [*MOVES, "a1a8"]

    @override
    def check(self, state: Spot, action: str) -> None:
        if action not in self.legal_actions(state, 0):
            raise IllegalAction("the rook is pinned")


class Labels(TextView[Spot]):
    """Labels, which fail for one action."""

    @override
    def label(self, action: str, view: Spot) -> str:
        return MOVES[action]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("Nf3+", "g1f3"),
        ("nf3", "g1f3"),
        ("g1-f3", "g1f3"),
        ("G1 F3", "g1f3"),
        ("e7-e8", "e7e8"),
        ("e8q", "e7e8"),
        ("bc4", "b3c4"),
        ("Bc4", "d3c4"),
        ("3", "g1f3"),
        ("g1f3", "g1f3"),
    ],
)
def test_a_label_can_be_typed_without_its_signs_and_in_any_case(line: str, action: str) -> None:
    assert Labels().parse(Match(Moves(), seed=1), line) == action


def test_a_label_that_two_actions_share_is_refused_with_their_texts() -> None:
    with pytest.raises(CommandError, match="several meanings: b3c4, d3c4") as caught:
        Labels().parse(Match(Moves(), seed=1), "BC4")
    assert caught.value.suggests


class Steps(Wander):
    """A game in which every step except the first two is refused with a reason of its own."""

    steps = ("left", "right", "up", "down", "jump 3", "jump 12")

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return self.steps

    @override
    def why_not(self, state: Spot, action: str) -> str:
        return "nobody jumps" if action.startswith("jump") else f"nobody goes {action}"


class Kinds(TextView[Spot]):
    """Labels that several illegal actions share."""

    @override
    def label(self, action: str, view: Spot) -> str:
        return {"up": "climb", "down": "climb"}.get(action, action.split(maxsplit=1)[0])


def test_a_label_of_several_illegal_actions_is_refused_without_the_reason_of_one() -> None:
    with pytest.raises(CommandError, match=r"^'climb' is not possible here; possible: left"):
        Kinds().parse(Match(Steps(), seed=1), "climb")


def test_a_label_of_several_illegal_actions_is_refused_with_the_reason_of_all() -> None:
    match = Match(Steps(), seed=1)
    with pytest.raises(IllegalAction, match="nobody jumps"):
        match.play(Kinds().parse(match, "jump"))


@pytest.mark.parametrize("line", ["jump 1 2", "jump -12"])
def test_spaces_and_hyphens_in_front_of_numbers_are_significant(line: str) -> None:
    with pytest.raises(CommandError):
        Kinds().parse(Match(Steps(), seed=1), line)


class Signed(TextView[Spot]):
    """Labels that are numbers with signs: +3, +2, +1, +0."""

    @override
    def label(self, action: str, view: Spot) -> str:
        return f"+{3 - [*MOVES].index(action)}"


class Counted(Signed):
    """Labels that are numbers: 3, 2, 1, 0."""

    @override
    def label(self, action: str, view: Spot) -> str:
        return super().label(action, view)[1:]


def test_a_number_means_the_action_in_the_list_and_not_a_label_with_a_sign() -> None:
    assert Signed().parse(Match(Moves(), seed=1), "1") == "b3c4"


def test_a_number_that_is_not_a_label_is_refused_if_labels_are_numbers() -> None:
    with pytest.raises(CommandError):
        Counted().parse(Match(Moves(), seed=1), "4")


def test_the_label_of_an_illegal_action_is_refused_with_the_reason() -> None:
    match = Match(Moves(), seed=1)
    with pytest.raises(IllegalAction, match="pinned"):
        match.play(Labels().parse(match, "rh8"))


def test_an_unknown_line_is_refused_with_the_labels_of_legal_actions() -> None:
    with pytest.raises(CommandError, match=r": bxc4, Bxc4, Nf3\+, e8=Q"):
        Labels().parse(Match(Moves(), seed=1), "sing")


def test_only_the_seat_to_act_can_type_a_label() -> None:
    with pytest.raises(NotYourTurn):
        Labels().parse(Match(Moves(), seed=1, seats=2), "Nf3", 1)
