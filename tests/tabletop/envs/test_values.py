"""Learnt values: stored in a file, read safely, and used as bots."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop import ContractError, Match, RegistryError, Streams
from tabletop.envs import LinearValues, make_encoder
from tabletop.envs.policies import learnt_bot
from tabletop.errors import UsageError
from tabletop.registry import load
from tabletop.terminal import with_programs

EXAMPLES = Path(__file__).parents[3] / "examples"
PLUGIN = load(str(EXAMPLES / "tictactoe.py"))
ENCODER = make_encoder(PLUGIN)
SIZE = ENCODER.size + 1


def centred() -> LinearValues:
    """Return values that only reward owning the centre and punish losing it."""
    weights = np.zeros(SIZE)
    weights[8], weights[9], weights[-1] = 0.3, -0.3, 0.5
    return LinearValues(PLUGIN.game, ENCODER, weights)


def saved(folder: Path, **arrays: Any) -> Path:
    path = folder / "values.npz"
    np.savez(path, **{"game": "tictactoe", "weights": np.zeros(SIZE), **arrays})
    return path


def test_a_state_is_rated_by_the_observation_of_each_seat() -> None:
    match = Match(PLUGIN.game, seed=1)
    match.play(match.parse("5"))
    assert [centred()(match.state, seat) for seat in (0, 1)] == pytest.approx([0.8, 0.2])


def test_values_are_between_0_and_1() -> None:
    match = Match(PLUGIN.game, seed=1)
    for last, value in ((7, 1.0), (-7, 0.0)):
        weights = [0.0] * (SIZE - 1) + [last]
        assert LinearValues(PLUGIN.game, ENCODER, weights)(match.state, 0) == value


def test_values_are_the_same_after_saving_and_loading(tmp_path: Path) -> None:
    path = tmp_path / "values.npz"
    centred().save(path)
    assert (LinearValues.load(path, PLUGIN).weights == centred().weights).all()


def test_a_file_of_values_plays_as_a_bot(tmp_path: Path) -> None:
    path = tmp_path / "Values.npz"
    centred().save(path)
    plugin = with_programs(PLUGIN, [f"1=LEARNT:{path}"])
    match = Match(PLUGIN.game, seed=1)
    match.set_player(0, plugin.bot(f"learnt:{path}", match.bot_stream(0)))
    assert str(match.step()) == "5"


def test_only_a_command_line_can_name_a_file() -> None:
    with pytest.raises(RegistryError, match=r"\bcommand line\b"):
        PLUGIN.bot("learnt:values.npz", Streams(1)["chance"])


@pytest.mark.parametrize(
    ("arrays", "why"),
    [
        ({"game": "go"}, r"\bvalues of tictactoe\b"),
        ({"weights": np.zeros(SIZE - 1)}, f"needs {SIZE}"),
        ({"weights": np.zeros((SIZE, 1))}, f"needs {SIZE}"),
        ({"weights": np.full(SIZE, np.nan)}, "finite"),
        ({"weights": np.array(["1"] * SIZE)}, r"\bvalues of tictactoe\b"),
        ({"weights": np.zeros(1 << 23)}, "too large"),
        ({"weights": np.array([print] * SIZE, object)}, "not a learnt"),
    ],
)
def test_a_file_that_does_not_fit_is_an_error(
    arrays: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = saved(tmp_path, **arrays)
    with pytest.raises(ValueError, match=why):
        LinearValues.load(path, PLUGIN)


@pytest.mark.parametrize("content", [b"", b"PK", b"weights", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_not_an_archive_is_an_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "values.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^'{re.escape(str(path)[:20])}"):
        LinearValues.load(path, PLUGIN)


def test_a_pipe_or_a_device_is_an_error_without_waiting(tmp_path: Path) -> None:
    pipe = tmp_path / "values.npz"
    os.mkfifo(pipe)
    for endless in (pipe, Path("/dev/zero")):
        with pytest.raises(ValueError, match=f"^'{re.escape(str(endless)[:20])}"):
            LinearValues.load(endless, PLUGIN)


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    path = saved(tmp_path)
    content = bytearray(path.read_bytes())
    content[200:220] = bytes(20)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^'{re.escape(str(path)[:20])}"):
        LinearValues.load(path, PLUGIN)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\bread: No such file"):
        learnt_bot(f"learnt:{tmp_path / 'nowhere.npz'}", PLUGIN)
    with pytest.raises(UsageError, match=r"2=learnt:nowhere.* No such file"):
        with_programs(PLUGIN, ["2=learnt:nowhere.npz"])
    with pytest.raises(UsageError, match=r"2=learnt:': .*\bfile\b"):
        with_programs(PLUGIN, ["2=learnt:"])


def test_values_for_another_number_of_seats_are_an_error(tmp_path: Path) -> None:
    masks = load(str(EXAMPLES / "masks.py"))
    encoder = make_encoder(masks, seats=3)
    path = tmp_path / "values.npz"
    LinearValues(masks.game, encoder, np.zeros(encoder.size + 1)).save(path)
    words, match = [f"1=learnt:{path}"], Match(masks.game, seed=1, seats=3)
    plugin = with_programs(masks, words, "--bot", match)
    match.set_player(0, plugin.bot(f"learnt:{path}", match.bot_stream(0)))
    match.step()
    with pytest.raises(UsageError, match=r"\b\d+ weights .*\bseats and options\b"):
        with_programs(masks, words, "--bot", Match(masks.game, seed=1, seats=4))


def test_values_loaded_for_fewer_seats_raise_an_error() -> None:
    masks = load(str(EXAMPLES / "masks.py"))
    encoder = make_encoder(masks, seats=3)
    values = LinearValues(masks.game, encoder, np.zeros(encoder.size + 1))
    with pytest.raises(ContractError, match=r"\bseat 3: .*\boptions\b"):
        values(Match(masks.game, seed=1, seats=4).state, 3)
