"""Learnt policies: stored in a file, read safely, and used as bots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import ContractError, Match, Streams
from tabletop.envs import ActionIndex, Policy, make_encoder
from tabletop.envs.policies import FORMAT, forward, learnt_bot
from tabletop.errors import UsageError
from tabletop.registry import Plugin, load
from tabletop.terminal import with_programs
from tests.tabletop.envs.games_to_learn import example

NOUGHTS = load(example("tictactoe"))
KUHN = load(example("kuhn_poker"))
MASKS = load(example("masks"))


def network(plugin: Plugin, **match: Any) -> Policy:
    """Return a random policy of a game with one hidden layer."""
    chance = np.random.default_rng(1)
    widths = make_encoder(plugin, **match).size, 5, ActionIndex(plugin.game, **match).size
    layers = [
        (
            chance.normal(size=(inputs, outputs)).astype(np.float32),
            chance.normal(size=outputs).astype(np.float32),
        )
        for inputs, outputs in pairwise(widths)
    ]
    return Policy(plugin, layers, **match)


def written(folder: Path, policy: Policy, **changes: Any) -> Path:
    """Write a policy file with some header fields or arrays changed."""
    path = folder / "policy.npz"
    policy.save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    header = json.loads(arrays["header"].tobytes())
    header |= {name: changes.pop(name) for name in [*changes] if name in header}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, **arrays | changes)
    return path


def test_a_policy_is_the_same_after_saving_and_loading(tmp_path: Path) -> None:
    path, policy = tmp_path / "policy.npz", network(NOUGHTS)
    policy.save(path)
    loaded = Policy.load(path, NOUGHTS)
    assert loaded.header == policy.header
    view = Match(NOUGHTS.game, seed=1).view(0)
    actions = NOUGHTS.game.all_actions({}, 2)
    assert actions is not None
    assert loaded.probabilities(view, 0, actions) == policy.probabilities(view, 0, actions)


def test_only_legal_actions_have_probabilities() -> None:
    match = Match(NOUGHTS.game, seed=1)
    match.play(match.parse("5"))
    legal = match.legal_actions()
    assert len(legal) == 8
    assert sum(network(NOUGHTS).probabilities(match.view(1), 1, legal)) == pytest.approx(1)


def test_probabilities_are_computed_from_the_layers() -> None:
    layers = [
        (np.array([[1, -1], [0, 2]], np.float32), np.array([0, 1], np.float32)),
        (np.array([[1, 0, 9], [0, 1, 9]], np.float32), np.zeros(3, np.float32)),
    ]
    likely = forward(layers, np.array([[1, 1], [1, 0]], np.float32), [[1, 1, 0], [1, 1, 0]])
    low = 1 / (1 + np.e)  # the hidden layer is 1 and 2, then 1 and 0
    assert likely == pytest.approx(np.array([[low, 1 - low, 0], [1 - low, low, 0]]))


def test_a_player_draws_actions_with_their_probabilities() -> None:
    policy = network(NOUGHTS)
    view, actions = Match(NOUGHTS.game, seed=1).view(0), NOUGHTS.game.all_actions({}, 2)
    assert actions is not None
    player = policy.bot(Streams(1)["bot"], 0)
    drawn = [player.choose(view, actions) for _ in range(2000)]
    shares = [drawn.count(action) / 2000 for action in actions]
    assert shares == pytest.approx(policy.probabilities(view, 0, actions), abs=0.05)


def test_hidden_information_does_not_affect_a_policy() -> None:
    match = Match(KUHN.game, seed=1)
    policy, seat = network(KUHN), match.to_act[0]
    chances = {
        tuple(
            policy.probabilities(
                KUHN.game.view(match.sampler(seat).sample(Streams(number)["other"]), seat),
                seat,
                match.legal_actions(seat),
            )
        )
        for number in range(20)
    }
    assert len(chances) == 1


def test_a_policy_file_plays_in_the_given_seat(tmp_path: Path) -> None:
    path = written(tmp_path, network(MASKS, seats=4), seats=4)
    match = Match(MASKS.game, seed=1, seats=4)
    plugin = with_programs(MASKS, [f"3=LEARNT:{path}"], "--bot", match)
    for seat in range(4):
        match.set_player(seat, plugin.bot(f"learnt:{path}", match.bot_stream(seat), seat))
    assert match.run() is not None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "go"}, "game: 'go', not 'tictactoe'"),
        ({"format": "tabletop policy 2"}, f"format: 'tabletop policy 2', not '{FORMAT}'"),
        ({"game": "go" * 10_000}, "game: 'gogo.*, not 'tictactoe'"),
        ({"version": "0"}, r"\bversion .*: '0', not '1'"),
        ({"seats": 3}, r"\btictactoe .*\b2 players, not 3\b"),
        ({"seats": 1 << 60}, r"\btictactoe .*\b2 players, not "),
        ({"options": {"size": 4}}, "size"),
        ({"observations": "0"}, r"\btictactoe .*\bchanged\b"),
        ({"actions": "0"}, r"\btictactoe .*\bchanged\b"),
        ({"layers": 0}, "0 layers"),
        ({"layers": 1}, r"\b23 numbers .*\b9 actions"),
        ({"layers": 1 << 40}, "not a learnt"),
        ({"layers": -1}, "0 layers"),
        ({"weights0": np.zeros((22, 5), np.float32)}, r"\b23 numbers .*\b9 actions"),
        ({"weights1": np.zeros((5, 8), np.float32)}, r"\b23 numbers .*\b9 actions"),
        ({"weights1": np.zeros((4, 9), np.float32)}, r"\b23 numbers .*\b9 actions"),
        ({"biases1": np.zeros((1, 9), np.float32)}, r"\b23 numbers .*\b9 actions"),
        ({"biases1": np.float32(1)}, r"\b23 numbers .*\b9 actions"),
        ({"biases1": np.zeros(9)}, "32-bit"),
        ({"biases1": np.full(9, np.nan, np.float32)}, "finite"),
        ({"weights0": np.full((23, 5), np.inf, np.float32)}, "finite"),
        ({"weights1": np.array([print], object)}, "not a learnt"),
        ({"weights9": np.zeros(1 << 24, np.float32)}, "too large"),
    ],
)
def test_a_file_that_does_not_fit_is_an_error(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, network(NOUGHTS), **changes)
    with pytest.raises(ValueError, match=f"^'.*{message}") as raised:
        learnt_bot(f"learnt:{path}", NOUGHTS)
    assert len(str(raised.value)) < 1000
    with pytest.raises(UsageError, match=r"^-bot '2=learnt:"):
        with_programs(NOUGHTS, [f"2=learnt:{path}"])


@pytest.mark.parametrize(
    "header", [b"", b"[]", b"{}", b'{"game": 1}', b"\xff\xfe", b"[" * 100_000], ids=repr
)
def test_an_invalid_header_is_an_error(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    np.savez(path, header=np.frombuffer(header, np.uint8))
    with pytest.raises(ValueError, match="not a learnt"):
        learnt_bot(f"learnt:{path}", NOUGHTS)


@pytest.mark.parametrize("name", ["header", "weights0", "biases1", "weights"])
def test_a_file_with_other_contents_than_arrays_is_an_error(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, network(NOUGHTS), other=np.zeros(1))
    with ZipFile(path) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    with ZipFile(path, "w") as archive:
        for member, data in (members | {f"{name}.npy": b"no array"}).items():
            archive.writestr(member, data)
    with pytest.raises(ValueError, match="not a learnt"):
        learnt_bot(f"learnt:{path}", NOUGHTS)


@given(st.binary(min_size=1, max_size=40), st.data())
def test_a_damaged_file_is_an_error_or_plays(damage: bytes, data: Any) -> None:
    with TemporaryDirectory() as folder:
        path = written(Path(folder), network(NOUGHTS))
        whole = path.read_bytes()
        at = data.draw(st.integers(0, len(whole) - 1))
        path.write_bytes(whole[:at] + damage + whole[at + len(damage) :])
        with suppress(ValueError):  # any other error is a bug
            learnt_bot(f"learnt:{path}", NOUGHTS)


def test_a_policy_for_another_number_of_seats_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    network(MASKS, seats=3).save(path)
    assert Policy.load(path, MASKS).header.seats == 3
    with pytest.raises(UsageError, match=r"\bseats: 3, not 4\b"):
        with_programs(MASKS, [f"1=learnt:{path}"], "--bot", Match(MASKS.game, seed=1, seats=4))


@given(st.lists(st.floats(-(2.0**127), 2.0**127, width=32), min_size=9, max_size=9), st.data())
def test_any_finite_weights_choose_legal_actions(values: Sequence[float], data: Any) -> None:
    policy = network(NOUGHTS)
    great = np.array(values, np.float32)
    first = np.full_like(policy.layers[0][0], data.draw(st.sampled_from([3e38, -3e38, 1])))
    layers = [(first, policy.layers[0][1]), (policy.layers[1][0] * 1e30, great)]
    match = Match(NOUGHTS.game, seed=1)
    bold = Policy(NOUGHTS, layers)
    for seat in (0, 1):
        match.set_player(seat, bold.bot(match.bot_stream(seat), seat))
    assert match.run() is not None


def test_policies_of_two_games_have_different_headers() -> None:
    first, second = network(NOUGHTS).header, network(KUHN).header
    assert first.observations != second.observations
    assert first.actions != second.actions


def test_a_policy_as_a_bot_of_a_plugin_reports_unsuitable_matches() -> None:
    plugin = Plugin(MASKS.game, bots={"taught": network(MASKS, seats=3).bot})
    match = Match(MASKS.game, seed=1, seats=3)
    for seat in range(3):
        match.set_player(seat, plugin.bot("taught", match.bot_stream(seat), seat))
    assert match.run() is not None
    match = Match(MASKS.game, seed=1, seats=4)
    match.set_player(3, plugin.bot("taught", match.bot_stream(3), 3))
    policy = network(MASKS, seats=3)
    with pytest.raises(ContractError, match=r"\b3 seats and \{\}: .*\boptions\b"):
        policy.probabilities(match.view(3), 3, match.legal_actions())
