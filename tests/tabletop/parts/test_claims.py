"""Claims, challenges and blocks with simultaneous answers. Harbour tests answers in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import pytest

from tabletop import (
    NOBODY,
    OWNER,
    Match,
    Options,
    Outcome,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    secret,
    state,
)
from tabletop.display import CardTable, CardText
from tabletop.parts.cards import deal, deck_of
from tabletop.parts.claims import (
    Answer,
    Blocked,
    Challenged,
    ClaimAction,
    Claims,
    TakeAction,
    belief,
    fits,
)
from tabletop.parts.flow import Pending
from tabletop.rules import others
from tabletop.testing import begin, check_game, play

DECK = deck_of({"banker": 3, "thief": 3, "guard": 3})
CLAIMS = Claims(
    DECK,
    {
        "rest": ClaimAction(blocked_by=("banker",)),
        "collect": ClaimAction("banker"),
        "rob": ClaimAction("thief", aimed=True, blocked_by=("thief", "guard")),
        "swap": ClaimAction("thief"),
        "strike": ClaimAction(cost=3, aimed=True),
    },
)


@state
class Court(State):
    hands: list[list[str]] = secret(to=OWNER, back="?", fits=fits)
    deck: list[str] = secret(to=NOBODY, back="?")
    said: list[str | None] = secret(
        to=OWNER, back="?", choices=CLAIMS.words, fits=CLAIMS.answer_fits
    )
    lost: list[list[str]]
    claimed: list[list[str]]
    caught: list[list[str]]
    coins: list[int]
    left: int = 60
    turn: Seat = 0
    todo: list[Pending] = field(default_factory=list)


class CourtGame(SecretGame[Court, TakeAction | Answer]):
    name = "court"
    seats = range(2, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Court:
        deck = rng["deck"].sample(DECK, len(DECK))
        lost, claimed, caught = ([list[str]() for _ in range(seats)] for _ in range(3))
        hands = deal(deck, seats, 2)
        return Court(hands, deck, [None] * seats, lost, claimed, caught, [0] * seats)

    def to_act(self, state: Court) -> Sequence[Seat]:
        over = not (state.left and others(state.turn, state.hands))
        return () if over else CLAIMS.awaiting(state) or (state.turn,)

    def legal_actions(self, state: Court, seat: Seat) -> Sequence[TakeAction | Answer]:
        if state.todo:
            return CLAIMS.answers(state, seat)
        return CLAIMS.turn_actions(state, seat, state.coins[seat])

    def all_actions(self, options: Options, seats: int) -> Sequence[TakeAction | Answer]:
        return CLAIMS.all_actions(seats)

    def apply(self, state: Court, action: TakeAction | Answer, table: Table) -> None:
        state.coins[action.seat] -= CLAIMS.cost(action)

        def do(task: Pending) -> None:
            if task.what == "strike" and task.target is not None:
                CLAIMS.punish(state, task.target)
            elif task.what == "swap":
                CLAIMS.record_draw(state, task.by)
            else:
                state.coins[task.by] += 1

        CLAIMS.play(state, action, table, do)
        if not state.todo:
            state.left -= 1
            state.turn = (*others(state.turn, state.hands), state.turn)[0]

    def outcome(self, state: Court) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score([*map(len, state.hands)])


Held = Match[Court, TakeAction | Answer]


def held(*hands: str, **fields: Any) -> Held:
    return begin(CourtGame(), seats=len(hands), hands=[it.split() for it in hands], **fields)


def legal(match: Held) -> list[str]:
    return [str(it) for it in match.legal_actions()]


THREE = ("thief banker", "guard thief", "banker guard")


@pytest.mark.slow
def test_a_game_of_claims_keeps_the_contract() -> None:
    check_game(CourtGame(), matches=3)


def test_seats_answer_at_the_same_time_without_seeing_other_answers() -> None:
    match = play(held(*THREE), "collect", "3: doubt")
    assert match.to_act == (1,)
    assert match.view(1).said == [None, None, "?"]
    assert match.state.coins == [0, 0, 0]


def test_the_first_objection_from_the_left_of_the_claimer_closes_the_window() -> None:
    match = play(held(*THREE, turn=1), "swap", "3: doubt")
    assert match.to_act == (2,)  # the window does not wait for seat 0, which is later in order
    play(match, "lose guard")
    assert match.state.lost == [[], [], ["guard"]]


def test_a_false_claim_costs_a_card_and_cancels_the_action() -> None:
    match = play(held("thief guard", *THREE[1:]), "collect", "2: doubt", "lose guard")
    assert match.state.coins == [0, 0, 0]
    assert (match.state.lost[0], match.to_act) == (["guard"], (1,))


def test_a_revealed_card_is_replaced_and_the_action_happens() -> None:
    match = held(*THREE, deck=["guard"])
    play(match, "collect", "2: doubt", "lose thief")
    assert match.state.coins == [1, 0, 0]
    assert sorted(match.state.hands[0] + match.state.deck) == ["banker", "guard", "thief"]


def test_an_action_without_a_target_may_be_blocked_by_every_other_seat() -> None:
    match = play(held(*THREE), "rest")
    assert len(match.to_act) == 2
    play(match, "2: pass", "3: block banker", "1: pass", "2: pass")
    assert match.state.coins == [0, 0, 0]


def test_only_the_target_may_block_with_each_blocking_role() -> None:
    match = play(held(*THREE), "rob 3", "2: pass", "3: pass")
    assert match.to_act == (2,)
    assert legal(match) == ["pass", "block thief", "block guard"]


def test_a_false_block_cancels_only_the_block() -> None:
    match = play(held(*THREE), "rob 3", "2: pass", "3: pass", "3: block thief")
    play(match, "1: doubt", "lose guard")
    assert match.state.coins == [1, 0, 0]


def test_the_action_of_a_seat_that_loses_its_last_card_over_a_block_is_blocked() -> None:
    match = play(held("thief", *THREE[1:]), "rob 3", "2: pass", "3: pass", "3: block guard")
    play(match, "1: doubt", "lose thief")
    assert (match.state.coins, match.state.todo, match.to_act) == ([0, 0, 0], [], (1,))


def test_a_seat_without_cards_cannot_block() -> None:
    match = play(held("thief", "guard", "guard"), "rob 2", "2: doubt", "lose guard")
    assert (match.state.coins, match.to_act) == ([1, 0, 0], (2,))


def test_the_loser_chooses_a_card_even_if_both_are_equal() -> None:
    match = play(held("thief", "guard guard", coins=[3, 0]), "strike 2")
    assert (match.to_act, legal(match)) == ((1,), ["lose guard"])


def test_an_action_is_offered_to_a_seat_that_can_pay_for_it() -> None:
    assert "strike 2" not in legal(held(*THREE, coins=[2, 0, 0]))
    assert "strike 2" in legal(held(*THREE, coins=[3, 0, 0]))


def test_claims_and_exposed_lies_are_recorded_until_cards_change() -> None:
    match = play(held("guard guard", *THREE[1:]), "collect", "2: pass", "3: pass")
    assert match.state.claimed == [["banker"], [], []]
    play(match, "collect", "3: doubt", "lose thief")
    assert (match.state.claimed[1], match.state.caught[1]) == ([], ["banker"])
    CLAIMS.record_draw(match.state, 1)
    assert match.state.caught == [[], [], []]


def test_redeals_leave_out_cards_that_their_owner_was_caught_not_to_hold() -> None:
    match = play(held("guard thief", *THREE[1:]), "collect", "2: doubt", "lose guard")
    rng = Streams("old oak")["redeal"]
    hands = [match.game.redeal(match.state, 1, rng).hands[0] for _ in range(60)]
    assert {role for hand in hands for role in hand} == {"thief", "guard"}


def test_a_belief_trusts_most_of_what_others_claim() -> None:
    match = play(held(*THREE), "collect", "2: pass", "3: pass", "swap", "3: pass", "1: pass")
    match.state.claimed[1].append("banker")
    assert belief(match.state, 0) == 0.2
    assert belief(match.state, 1) == 1.0
    match.state.claimed[0].append("guard")
    assert belief(match.state, 2) == pytest.approx(0.2 * 0.2)


def test_honest_actions_claim_a_held_role_or_none() -> None:
    match = held("thief thief", *THREE[1:])
    true = [str(it) for it in CLAIMS.honest(match.view(0), match.legal_actions())]
    assert true == ["rest", "rob 2", "rob 3", "swap"]
    play(match, "rob 2", "2: pass", "3: pass")
    true = [str(it) for it in CLAIMS.honest(match.view(1), match.legal_actions())]
    assert true == ["pass", "block thief", "block guard"]


@pytest.mark.parametrize(
    ("own", "lost", "claimed", "left"),
    [
        ("guard thief", "", "", ["pass"]),
        ("banker banker", "", "", ["pass", "doubt"]),
        ("banker banker", "banker", "", ["doubt"]),
        ("guard thief", "", "thief guard", ["pass", "doubt"]),
    ],
)
def test_a_policy_challenges_impossible_claims_and_may_challenge_doubtful_ones(
    own: str, lost: str, claimed: str, left: list[str]
) -> None:
    match = held("guard thief", own, lost=[lost.split(), []], claimed=[claimed.split(), []])
    play(match, "collect")
    assert [str(it) for it in CLAIMS.policy(match.state, match.legal_actions())] == left


def test_a_policy_leaves_out_claims_that_are_visibly_false() -> None:
    match = held("guard thief", "guard", caught=[["banker"], []])
    tried = [str(it) for it in CLAIMS.policy(match.state, match.legal_actions())]
    assert "collect" not in tried
    assert "swap" in tried


def test_blocks_and_challenges_are_described_in_words() -> None:
    class Words(CardText[Any]):
        table = CardTable()

    lines: list[str] = []
    match = held("thief guard", *THREE[1:])
    match.observe(lambda event: lines.append(Words().event(event, ["Ann", "Bo", "Cid"])), seat=1)
    play(match, "rob 3", "2: pass", "3: pass", "3: block guard", "1: doubt", "lose guard")
    assert "Cid claims to be the guard to block this." in lines
    assert "Ann challenges Cid, who shows the guard." in lines
    exposed = CardText().event(Challenged(1, 0, "banker", lied=True), ["Ann", "Bo"])
    assert exposed == "Bo challenges Ann, who is not the banker."
    assert Blocked(2, "guard").seat == 2
