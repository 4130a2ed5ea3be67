"""Training is reproducible, can be interrupted, and improves the policy."""

from __future__ import annotations

import csv
import os
import pickle
from collections.abc import Callable
from operator import ne
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
import torch

from tabletop import ContractError, Match
from tabletop.cli import main
from tabletop.envs import ActionIndex, Policy, make_encoder
from tabletop.envs.policies import forward
from tabletop.errors import UsageError
from tabletop.registry import load
from tabletop.studies import LocalWorkers, Pool, StudyError, Workers
from tabletop.training import Trained, train
from tabletop.training.learner import Learner
from tests.pages import run_page
from tests.tabletop.envs.games_to_learn import example

pytestmark = pytest.mark.slow

NOUGHTS = example("tictactoe")
FEW: Any = {"choices": 200, "hidden": (8,), "every": 2, "matches": 4, "against": ["random"]}


def trained(folder: Path, rounds: int, workers: Workers | None = None, **others: Any) -> Trained:
    return train(NOUGHTS, folder, workers or LocalWorkers(), rounds=rounds, **{**FEW, **others})


def result(folder: Path) -> list[bytes]:
    """Return the result of a training from its files."""
    names = ("policy.npz", "curve.csv", "curve.svg", "training.json")
    with np.load(folder / "policy.npz") as archive:
        arrays = [archive[name].tobytes() for name in sorted(archive.files)]
    return [*arrays, *((folder / name).read_bytes() for name in names[1:])]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted training of seven rounds."""
    folder = tmp_path_factory.mktemp("whole")
    trained(folder, 7)
    return folder


def test_the_same_seed_gives_the_same_result(whole: Path, tmp_path: Path) -> None:
    trained(tmp_path, 7)
    assert result(tmp_path) == result(whole)


def test_another_seed_gives_another_result(whole: Path, tmp_path: Path) -> None:
    trained(tmp_path, 7, seeds="another")
    assert all(map(ne, result(tmp_path)[:2], result(whole)[:2]))


def test_the_result_does_not_depend_on_the_number_of_processes(whole: Path, tmp_path: Path) -> None:
    with Pool(2) as workers:
        trained(tmp_path, 7, workers)
    assert result(tmp_path) == result(whole)


@pytest.mark.parametrize("after", [0, 1, 4, 6])
def test_an_interrupted_training_resumes_to_the_same_result(
    after: int, whole: Path, tmp_path: Path
) -> None:
    def stop(progress: Any) -> None:
        if progress.done == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 7, progress=stop)
    trained(tmp_path, 7, resume=True)
    assert result(tmp_path) == result(whole)


def test_a_training_interrupted_during_an_evaluation_can_be_resumed(
    whole: Path, tmp_path: Path
) -> None:
    def stop(point: Any) -> None:
        if point.round == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 7, on_point=stop)
    (tmp_path / "curve.csv").unlink()
    trained(tmp_path, 7, resume=True)
    assert result(tmp_path) == result(whole)


def test_a_training_interrupted_while_saving_can_be_resumed(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, kept = Policy.save, []

    def save_thrice(policy: Policy, path: Path) -> None:
        if path.name == "policy.npz":
            kept.append(path)
            if len(kept) == 3:
                raise KeyboardInterrupt
        save(policy, path)

    monkeypatch.setattr(Policy, "save", save_thrice)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 2)
    trained(tmp_path, 2, resume=True)
    monkeypatch.undo()
    trained(tmp_path, 7, resume=True)
    assert result(tmp_path) == result(whole)


def test_a_finished_training_may_get_more_rounds(whole: Path, tmp_path: Path) -> None:
    trained(tmp_path, 6)
    trained(tmp_path, 7, resume=True)
    assert result(tmp_path) == result(whole)


def test_the_curve_has_a_row_for_each_bot_and_evaluation(whole: Path) -> None:
    with (whole / "curve.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["round"]) for row in rows] == [0, 2, 4, 6, 7]
    for row in rows:
        assert row["against"] == "random"
        assert 0 <= float(row["low"]) <= float(row["share"]) <= float(row["high"]) <= 1
    assert "<svg" in (whole / "curve.svg").read_text("utf-8")


def test_default_opponents_are_those_of_three_bots_that_the_game_has(tmp_path: Path) -> None:
    result = trained(tmp_path, 0, against=None)
    assert [it.pairing.second for it in result.curve] == ["random", "easy"]


def test_numpy_and_torch_give_the_same_probabilities() -> None:
    plugin = load(NOUGHTS)
    size, actions = make_encoder(plugin).size, ActionIndex(plugin.game).size
    learner, chance = Learner(size, actions, (16, 8), 1), np.random.default_rng(1)
    observations = chance.random((20, size), np.float32)
    masks = chance.random((20, actions)) < 0.5
    masks[:, 0] = True
    policy = learner._model.policy
    probabilities = policy.get_distribution(
        torch.as_tensor(observations), action_masks=masks
    ).distribution.probs
    assert forward(learner.layers(), observations, masks) == pytest.approx(
        probabilities.detach().numpy(), abs=1e-5
    )


def test_the_policy_plays_without_the_training_libraries(whole: Path) -> None:
    plugin = load(NOUGHTS)
    policy, match = Policy.load(whole / "policy.npz", plugin), Match(plugin.game, seed=1)
    assert sum(policy.probabilities(match.view(0), 0, match.legal_actions())) == pytest.approx(1)


@pytest.mark.parametrize(
    ("game", "others", "kind", "message"),
    [
        ("backgammon", {}, ContractError, "backgammon"),
        ("peal", {}, UsageError, "peal"),
        ("caverns", {"seats": 1}, UsageError, "caverns.* 2 seats"),
        ("herons", {}, UsageError, r"200,000 choices .* \d,\d+ or fewer"),
        ("loaded_dice", {}, UsageError, "race"),
        ("tictactoe", {"hidden": ()}, UsageError, "layers .* 15"),
        ("tictactoe", {"hidden": (0,)}, UsageError, "layers .* 15"),
        (
            "tictactoe",
            {"hidden": (9_999, 9_999)},
            UsageError,
            "layers 9999,9999",
        ),
        ("tictactoe", {"every": 0}, UsageError, "every=0"),
        ("tictactoe", {"matches": 3}, UsageError, "even"),
        ("tictactoe", {"against": ["nobody"]}, Exception, "nobody"),
    ],
)
def test_a_training_that_is_impossible_is_an_error(
    game: str, others: dict[str, Any], kind: type[Exception], message: str, tmp_path: Path
) -> None:
    given = {**FEW, "choices": 200_000, "against": ["random"], **others}
    if game != "herons":
        given["choices"] = 20
    with pytest.raises(kind, match=message):
        train(example(game), tmp_path / "learnt", LocalWorkers(), rounds=1, **given)


def test_a_folder_with_another_training_is_not_overwritten_or_resumed(
    whole: Path,
) -> None:
    before = result(whole)
    with pytest.raises(StudyError, match="resume"):
        trained(whole, 7)
    with pytest.raises(StudyError, match="seeds and choices"):
        trained(whole, 7, resume=True, seeds="another", choices=300)
    assert result(whole) == before


class Harmful:
    """An object that would run code when unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (Path("harm"),)


def spoil(state: Path, damage: str) -> None:
    """Replace the state of a training."""
    if damage in {"pickle", "empty", "text"}:
        state.write_bytes({"pickle": pickle.dumps(Harmful()), "empty": b""}.get(damage, b"text"))
    elif damage == "torch":
        torch.save({"policy": Harmful()}, state)
    elif damage == "other":
        torch.save({"policy": {}, "optimizer": {}, "reached": {}}, state)
    elif damage == "nan":
        states = torch.load(state, weights_only=True)
        next(iter(states["policy"].values())).fill_(float("nan"))
        torch.save(states, state)
    elif damage == "bomb":
        with ZipFile(state, "w", ZIP_DEFLATED) as archive:
            archive.writestr("archive/data.pkl", bytes(600_000_000))
    else:
        state.unlink()
        if damage == "pipe":
            os.mkfifo(state)
        elif damage == "endless":
            state.symlink_to("/dev/zero")


SPOILED = ("pickle", "torch", "empty", "other", "text", "pipe", "endless", "bomb", "gone", "nan")


@pytest.mark.parametrize("damage", SPOILED)
def test_a_damaged_or_malicious_state_is_an_error_and_runs_no_code(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "learnt"
    trained(folder, 1)
    state = folder / "network.pt"
    spoil(state, damage)
    before = (folder / "policy.npz").read_bytes()
    with pytest.raises(StudyError):
        trained(folder, 2, resume=True)
    assert not Path("harm").exists()
    assert (folder / "policy.npz").read_bytes() == before


@pytest.mark.parametrize("text", [None, "", "[" * 300_000, "{}", '{"plan": 1}'])
def test_a_damaged_settings_file_is_an_error(text: str | None, tmp_path: Path) -> None:
    trained(tmp_path, 1)
    beside = tmp_path / "training.json"
    if text is None:
        beside.unlink()
    else:
        beside.write_text(text)
    with pytest.raises(StudyError):
        trained(tmp_path, 2, resume=True)


def test_a_missing_earlier_policy_is_an_error(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    (tmp_path / "selves" / "000000.npz").unlink()
    with pytest.raises(StudyError, match=r"000000\.npz"):
        trained(tmp_path, 2, resume=True)


def test_the_command_trains_and_prints_how_to_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"--rounds 1 --choices 50 --matches 4 --layers 8 --workers 1 -o {tmp_path / 'learnt'}"
    assert main(["train", NOUGHTS, *words.split()]) == 0
    output = capsys.readouterr().out
    assert output.count("of the points against") == 4
    command = output.splitlines()[-1].removeprefix("play against it: ").split()
    assert command[:2] == ["tabletop", "play"]
    watched = [*command[1:-2], "--bot", "1=random", *command[-2:], "--no-record"]
    assert main(watched) == 0


def test_a_game_that_cannot_be_learnt_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", example("backgammon"), "-o", str(tmp_path / "learnt")]) == 2
    assert "backgammon" in capsys.readouterr().err


def test_the_examples_of_the_page_on_training_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "train-an-agent.md"
    run_page(page, tmp_path, monkeypatch)
    assert (tmp_path / "learnt" / "policy.npz").is_file()
    monkeypatch.syspath_prepend(tmp_path)
    assert load(str(tmp_path / "taught.py")).best_bot == "taught"
