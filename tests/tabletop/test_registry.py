"""Finding a game: by name, as `module:NAME`, or at a path."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabletop import Match, Random, RegistryError, Streams
from tabletop.bots import ISMCTS
from tabletop.display.text_view import TextView
from tabletop.registry import installed, load
from tests.tabletop.games import race

GAMES = Path(__file__).parent / "games"
MINIMAL = """
from tabletop import Game

class Nothing(Game):
    name = "nothing"
    def setup(self, options, seats, rng): return None
    def to_act(self, state): return ()
    def legal_actions(self, state, seat): return ()
    def apply(self, state, action, table): pass
    def outcome(self, state): return None
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Writes a file of Python and gives its path."""

    def write_file(text: str) -> str:
        path = tmp_path / "mygame.py"
        path.write_text(text)
        return str(path)

    return write_file


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Installs a package with the entry points it is given."""

    def install_package(points: str) -> None:
        info = tmp_path / "stranger-1.0.dist-info"
        info.mkdir()
        info.joinpath("METADATA").write_text(
            "Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n"
        )
        info.joinpath("entry_points.txt").write_text(f"[tabletop.games]\n{points}\n")
        monkeypatch.syspath_prepend(tmp_path)

    return install_package


def test_an_installed_game_is_found_by_its_name_in_any_case() -> None:
    plugin = load("LCR")
    assert plugin.source == "lcr"
    assert plugin.game.name == "lcr"
    assert "lcr" in installed()


def test_a_strangers_package_is_found_in_the_same_way(install: Callable[[str], None]) -> None:
    install("zeppelin = tests.tabletop.games.race:GAME\nBallon = tests.tabletop.games.rps:GAME")
    assert load("zeppelin").game is race.GAME
    assert load("Ballon").game.name == "rps"
    names = list(installed())
    assert names == sorted(names)
    assert {"Ballon", "zeppelin", "lcr"} <= set(names)


def test_an_installed_game_that_is_broken_says_so(install: Callable[[str], None]) -> None:
    install("lost = nowhere_at_all:GAME\nempty = tests.tabletop.games:GAME")
    with pytest.raises(RegistryError, match="lost: cannot import 'nowhere_at_all': Module"):
        load("lost")
    with pytest.raises(RegistryError, match=r"empty: tests\.tabletop\.games has no 'GAME'"):
        load("empty")


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(
        RegistryError, match=r"there is no game 'lrc'; did you mean 'lcr'\? install"
    ):
        load("lrc")
    with pytest.raises(RegistryError, match=r"there is no game 'zzzzzz'; installed: .*lcr"):
        load("zzzzzz")
    with pytest.raises(RegistryError, match="give module:NAME, or a path"):
        load("")


def test_a_game_is_found_by_module_and_name() -> None:
    plugin = load("tests.tabletop.games.race:GAME")
    assert plugin.game is race.GAME
    assert plugin.source == "tests.tabletop.games.race:GAME"
    assert isinstance(load("tests.tabletop.games.race:Race").game, race.Race)
    assert load("tests.tabletop.games.race:").game is race.GAME


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("nowhere_at_all:GAME", "cannot import 'nowhere_at_all': ModuleNotFoundError: No module"),
        (":GAME", "cannot import '': ValueError"),
        ("tests.tabletop.games.race:GAEM", r"tests\.tabletop\.games\.race has no 'GAEM'"),
        ("tests.tabletop.games.race:PACES", r"\('walk', 'run'\) is no Game"),
        ("tests.tabletop.games.race:Track", "Track'> is no Game"),
        ("tabletop.rules.game:Game", "Game lacks apply"),
    ],
)
def test_a_module_without_the_game_says_so(name: str, wrong: str) -> None:
    with pytest.raises(RegistryError, match=wrong) as caught:
        load(name)
    assert str(caught.value).startswith(f"{name}: ")


def test_a_game_is_found_by_the_path_to_its_file() -> None:
    path = GAMES / "walk.py"
    plugin = load(str(path))
    assert plugin.game.name == "longwalk"
    assert plugin.source == str(path)
    assert load(str(path)).game is plugin.game
    assert isinstance(plugin.text, TextView)
    assert list(plugin.bots) == ["random"]


def test_a_path_may_say_which_game_of_the_file(
    write: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write(MINIMAL + "class Other(Nothing): name = 'other'\n")
    assert load(f"{path}:Other").game.name == "other"
    monkeypatch.chdir(tmp_path)
    assert load("mygame.py:Other").game.name == "other"
    with pytest.raises(RegistryError, match=r"not just one class derived from Game \(Nothing, Oth"):
        load("mygame.py")
    with pytest.raises(RegistryError, match="has no 'Third'"):
        load("mygame.py:Third")


def test_a_file_with_one_game_need_not_say_which(write: Callable[[str], str]) -> None:
    game = load(write(MINIMAL)).game
    assert game.name == "nothing"
    assert Match(game, seed=1).over


BROKEN = {
    "def f(:\n": r"invalid syntax \(mygame\.py, line 1\)",
    "x = 1\ny = x.z\n": r"AttributeError: 'int' object has no attribute 'z' \(mygame\.py, line 2\)",
    "import nowhere_at_all\n": "ModuleNotFoundError: No module named 'nowhere_at_all'",
    "import json\njson.loads('{')\n": r"JSONDecodeError: .* \(decoder\.py, line \d+\)",
    "raise SystemExit(3)\n": "SystemExit: 3",
    "x = 1\n": r"no GAME is defined there, and not just one class derived from Game \(none\)",
    "GAME = 5\n": "5 is no Game",
    "from tabletop import Game\nclass Half(Game): name = 'half'\n": "Half lacks apply",
    MINIMAL + "Nothing.name = ''\n": "Nothing has no name",
    MINIMAL + "def no(self): raise OSError('no')\nNothing.__init__ = no\n": "OSError: no",
    MINIMAL + "GAME = Nothing\nTEXT = 'a game'\n": "TEXT is 'a game', not a TextView",
    MINIMAL + "GAME = Nothing\nTEXT = int\n": "TEXT is 0, not a TextView",
    MINIMAL + "def TEXT(game): return game.title()\n": "TypeError: .* not callable",
    MINIMAL + "GAME = Nothing\nBOTS = ['deep']\n": r"BOTS is \['deep'\], not names with",
    MINIMAL + "GAME = Nothing\nBOTS = {'deep': 5}\n": "BOTS is {'deep': 5}, not names with",
    MINIMAL + "GAME = Nothing\nWEIGHTS = {'deep': {}}\n": "not names of BOTS with weights",
    MINIMAL + "GAME = Nothing\nLEVELS = {'easy': 'random'}\n": "not bots called easy, fair, hard",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_is_broken_says_what_is_wrong_and_where(
    write: Callable[[str], str], text: str
) -> None:
    path = write(text)
    for _ in range(2):  # a module that failed half-way must not be found the second time
        with pytest.raises(RegistryError, match=BROKEN[text]) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


def test_an_interrupt_while_a_file_is_loading_goes_on(write: Callable[[str], str]) -> None:
    path = write("raise KeyboardInterrupt\n")
    before = set(sys.modules)
    with pytest.raises(KeyboardInterrupt):
        load(path)
    assert set(sys.modules) == before


def test_a_path_to_nothing_or_to_no_python_says_so(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"nothing\.py: there is no such file"):
        load(str(tmp_path / "nothing.py"))
    with pytest.raises(RegistryError, match="there is no such file"):
        load(f"{tmp_path}/")
    tmp_path.joinpath("notes.txt").write_text("buy milk")
    with pytest.raises(RegistryError, match=r"notes\.txt: this is no Python file"):
        load(str(tmp_path / "notes.txt"))


PLAYED = """
from tabletop import Random
from tabletop.display.text_view import TextView

class Loud(TextView):
    def __init__(self, name):
        self.name = name

    def prompt(self, view, seat, names):
        return f"{names[seat].upper()}! {self.name}"

def TEXT(game):
    return Loud(game.name)

BOTS = {"Deep": lambda stream: Random(stream)}
"""


def test_a_file_may_bring_its_own_text_and_bots(write: Callable[[str], str]) -> None:
    plugin = load(write(MINIMAL + PLAYED))
    assert plugin.text.prompt(None, 0, ["Ann"]) == "ANN! nothing"
    assert (plugin.best_bot, plugin.bot_names) == (
        "deep",
        ("deep", "easy", "fair", "hard", "random"),
    )
    stream = Streams("x")["choices"]
    assert isinstance(plugin.bot("DEEP", stream), Random)
    assert isinstance(plugin.bot("random", stream), Random)
    with pytest.raises(
        RegistryError, match="nothing has no bot 'blue'; its bots: deep, easy, fair, "
    ):
        plugin.bot("blue", stream)


OWN_LEVELS = """
from tabletop import Random
LEVELS = {"easy": "random", "fair": "search:7", "hard": lambda stream, game: Random(stream)}
SEARCH = {"exploration": 0.2, "plies": 3}

"""


def test_a_file_may_say_what_its_levels_are_and_how_to_search(write: Callable[[str], str]) -> None:
    plugin = load(write(MINIMAL + OWN_LEVELS))
    stream = Streams("x")["choices"]
    assert plugin.bot_names == ("easy", "fair", "hard", "random")
    assert isinstance(plugin.bot("easy", stream), Random)
    assert isinstance(plugin.bot("hard", stream), Random)
    fair = plugin.bot("fair", stream)
    assert isinstance(fair, ISMCTS)
    assert (fair.budget.iterations, fair._exploration, fair._plies) == (7, 0.2, 3)


SEVERAL = """
class Looking:
    def __init__(self, stream, *, game, seat=None):
        self.stream, self.game, self.seat = stream, game, seat

FIRST, SECOND = Nothing(), Nothing()
GAME = FIRST
BOTS = {
    "looking": Looking,
    "game": lambda stream, game: Looking(stream, game=game),
    "seat": lambda stream, seat: Looking(stream, game=None, seat=seat),
}
"""


def test_a_bot_that_asks_for_the_game_or_its_seat_is_given_it(write: Callable[[str], str]) -> None:
    path, stream = write(MINIMAL + SEVERAL), Streams("x")["choices"]
    first, second = load(path), load(f"{path}:SECOND")
    assert first.game is not second.game
    for plugin in (first, second):
        for name, game, seat in (
            ("looking", plugin.game, 3), ("game", plugin.game, None), ("seat", None, 3),
        ):  # fmt: skip
            told = {"stream": stream, "game": game, "seat": seat}
            assert vars(plugin.bot(name, stream, 3)) == told


WEIGHED = """
class Weighed:
    def __init__(self, stream, *, brick=2, share=0.5, seat):
        self.weights = (brick, share, seat)

BOTS = {"weighed": Weighed}
WEIGHTS = {"weighed": {"brick": (0, 9), "share": (0, 1.0)}}
"""


def test_a_bot_is_named_with_weights_within_their_bounds(write: Callable[[str], str]) -> None:
    plugin, stream = load(write(MINIMAL + WEIGHED)), Streams("x")["choices"]
    for name, weights in {
        "weighed": (2, 0.5, 1),
        "Weighed:share=1e-1": (2, 0.1, 1),
        "weighed:brick=9:share=0": (9, 0, 1),
    }.items():
        assert vars(plugin.bot(name, stream, 1)) == {"weights": weights}
    for words, why in {
        "brick=10": "brick is a whole number from 0 to 9, not '10'",
        "brick=2.5": "brick is a whole number from 0 to 9, not '2.5'",
        "share=nan": r"share is a number from 0 to 1\.0, not 'nan'",
        "brick=1:glass=1": "there is no weight 'glass': brick, share",
        "": "there is no weight '': brick, share",
    }.items():
        with pytest.raises(RegistryError, match=f"'weighed:{words}': {why}"):
            plugin.bot(f"weighed:{words}", stream)
    with pytest.raises(RegistryError, match="has no bot 'random:brick=1'"):
        plugin.bot("random:brick=1", stream)


FILE_OF_RULES = "from pathlib import Path\nRULES = Path(__file__).with_name('rules.md')"


@pytest.mark.parametrize(
    ("given", "rules"),
    [
        ("RULES = '# Rules'", "# Rules"),
        ("RULES = lambda game: f'# Rules{game.name[7:]}'", "# Rules"),
        (FILE_OF_RULES, "# Rules (§1)\n"),
        ("", ""),
    ],
)
def test_the_rules_for_people_are_a_text_or_made_of_the_game_or_stand_in_a_file(
    write: Callable[[str], str], tmp_path: Path, given: str, rules: str
) -> None:
    (tmp_path / "rules.md").write_text("# Rules (§1)\n", "utf-8")
    assert load(write(f"{MINIMAL}\n{given}\n")).rules == rules


@pytest.mark.parametrize("rules", ["7", "b'# Rules'", "lambda game: 7", "lambda game: 1 / 0"])
def test_rules_for_people_that_are_none_are_refused_when_they_are_asked_for(
    write: Callable[[str], str], rules: str
) -> None:
    plugin = load(write(f"{MINIMAL}\nRULES = {rules}\n"))
    with pytest.raises(RegistryError, match=r"mygame\.py"):
        _ = plugin.rules
