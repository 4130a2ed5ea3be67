"""Finding a game: by name, as `module:NAME`, or at a path; and declaring what comes with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import lcr
import sorcery
from constructor import PLUGIN as CONSTRUCTOR
from constructor import SMALL, Constructor
from lcr.picture import LcrPicture
from tabletop import (
    Game,
    Match,
    Options,
    Outcome,
    Plugin,
    Random,
    RegistryError,
    Seat,
    Stream,
    Streams,
    Table,
)
from tabletop.bots import ISMCTS
from tabletop.display import TextView
from tabletop.registry import LEVEL_CHOICES, installed, load, plugin_of
from tests.program_runs import piped
from tests.tabletop.games import race
from tests.tabletop.told import tells

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
    install("zeppelin = tests.tabletop.games.race:PLUGIN\nBallon = tests.tabletop.games.rps:GAME")
    assert load("zeppelin").game is race.GAME
    assert load("Ballon").game.name == "rps"
    names = list(installed())
    assert names == sorted(names)
    assert {"Ballon", "zeppelin", "lcr"} <= set(names)


def test_an_installed_game_that_is_broken_says_so(install: Callable[[str], None]) -> None:
    install("lost = nowhere_at_all:GAME\nempty = tests.tabletop.games:GAME")
    with pytest.raises(RegistryError, match=r"^lost: .*'nowhere_at_all': Module"):
        load("lost")
    with pytest.raises(RegistryError, match=r"^empty: tests\.tabletop\.games .*'GAME'"):
        load("empty")


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(RegistryError, match=r"'lrc'.*'lcr'\? install"):
        load("lrc")
    with pytest.raises(RegistryError, match=r"'zzzzzz'; installed: .*lcr"):
        load("zzzzzz")
    with pytest.raises(RegistryError, match=r"\bmodule:NAME\b"):
        load("")


def test_a_game_is_found_by_module_and_name() -> None:
    plugin = load("tests.tabletop.games.race:GAME")
    assert plugin.game is race.GAME
    assert plugin.source == "tests.tabletop.games.race:GAME"
    assert isinstance(load("tests.tabletop.games.race:Race").game, race.Race)
    assert load("tests.tabletop.games.race:").game is race.GAME
    assert load("tests.tabletop.games.race:PLUGIN").game is race.GAME


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("nowhere_at_all:GAME", "cannot import 'nowhere_at_all': ModuleNotFoundError: No module"),
        (":GAME", "cannot import '': ValueError"),
        ("tests.tabletop.games.race:GAEM", r"tests\.tabletop\.games\.race .*'GAEM'"),
        ("tests.tabletop.games.race:PACES", r"\('walk', 'run'\) .*\bPlugin\b"),
        ("tests.tabletop.games.race:Track", r"Track'> .*\bPlugin\b"),
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
    assert type(plugin.text) is TextView
    assert list(plugin.bots) == ["random"]


class NeedsNoStream:
    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return actions[0]


class NeedsADepth(NeedsNoStream):
    def __init__(self, stream: Any, seat: int, depth: int) -> None:
        pass


@pytest.mark.parametrize("bot", [NeedsNoStream, NeedsADepth])
def test_a_bot_that_cannot_be_made_is_refused_with_its_name(bot: Any) -> None:
    with pytest.raises(RegistryError, match=r"\beasy\b"):
        Plugin(race.GAME, bots={"easy": bot})
    with pytest.raises(RegistryError, match=r"\beasy\b"):
        Plugin(race.GAME, levels={"easy": bot})


def test_a_path_may_say_which_game_of_the_file(
    write: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write(MINIMAL + "class Other(Nothing): name = 'other'\n")
    assert load(f"{path}:Other").game.name == "other"
    monkeypatch.chdir(tmp_path)
    assert load("mygame.py:Other").game.name == "other"
    with pytest.raises(RegistryError, match=r"\bGame .*: Nothing, Oth"):
        load("mygame.py")
    with pytest.raises(RegistryError, match="'Third'"):
        load("mygame.py:Third")


def test_a_file_with_one_game_need_not_say_which(write: Callable[[str], str]) -> None:
    game = load(write(MINIMAL)).game
    assert game.name == "nothing"
    assert Match(game, seed=1).over


def declared(arguments: str) -> str:
    """The text of a game that declares what comes with it."""
    return f"{MINIMAL}\nfrom tabletop import Plugin\nPLUGIN = Plugin({arguments})\n"


BROKEN = {
    "def f(:\n": r"invalid syntax \(mygame\.py, line 1\)",
    "x = 1\ny = x.z\n": r"AttributeError: 'int' object has no attribute 'z' \(mygame\.py, line 2\)",
    "import nowhere_at_all\n": "ModuleNotFoundError: No module named 'nowhere_at_all'",
    "import json\njson.loads('{')\n": r"JSONDecodeError: .* \(decoder\.py, line \d+\)",
    "raise SystemExit(3)\n": "SystemExit: 3",
    "x = 1\n": r"PLUGIN, .* Game \(found: none\)",
    "PLUGIN = 5\n": ": 5 .*Plugin",
    "from tabletop import Game\nclass Half(Game): name = 'half'\n": "Half lacks apply",
    MINIMAL + "Nothing.name = ''\n": "Nothing .*name",
    MINIMAL + "def no(self): raise OSError('no')\nNothing.__init__ = no\n": "OSError: no",
    declared("Nothing(), text='a game'"): ": text .*'a game', .* TextView",
    declared("Nothing(), pictrue='a:b'"): "'pictrue'; .*'picture'",
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
    with pytest.raises(RegistryError, match=r"nothing\.py: .*\bno such file\b"):
        load(str(tmp_path / "nothing.py"))
    with pytest.raises(RegistryError, match="no such file"):
        load(f"{tmp_path}/")
    tmp_path.joinpath("notes.txt").write_text("buy milk")
    with pytest.raises(RegistryError, match=r"notes\.txt: .*\bPython file\b"):
        load(str(tmp_path / "notes.txt"))
    with piped("GAME = None") as path, pytest.raises(RegistryError, match="Python file"):
        load(path)


# What comes with a game.


class Silent(Game[Any, Any]):
    """A game to declare something with."""

    name = "silent"

    def setup(self, options: Options, seats: int, rng: Streams) -> None:
        return None

    def to_act(self, state: Any) -> Sequence[Seat]:
        return ()

    def legal_actions(self, state: Any, seat: Seat) -> Sequence[Any]:
        return ()

    def apply(self, state: Any, action: Any, table: Table) -> None:
        """Nothing happens."""

    def outcome(self, state: Any) -> Outcome | None:
        return None


class Nameless(Silent):
    name = ""


@pytest.mark.parametrize(
    ("argument", "value", "wanted"),
    [
        ("game", Silent, "subclass of Game"),
        ("game", 5, "subclass of Game"),
        ("text", "a game", "subclass of TextView"),
        ("text", TextView, "subclass of TextView"),
        ("text", lambda game: TextView(), "subclass of TextView"),
        ("rulebook", 7, "path"),
        ("summary", None, "text"),
        ("minutes", 0, "positive whole number"),
        ("minutes", "10", "positive whole number"),
        ("rulebook", b"# Rules", "path"),
        ("rulebook", lambda game: "# Rules", "path"),
        ("bots", ["deep"], "mapping ... functions"),
        ("bots", {"deep": 5}, "mapping ... functions"),
        ("levels", ["easy", "fair", "hard"], "mapping ... keys easy"),
        ("levels", {"easy": "random", "mean": "random"}, "mapping ... keys easy"),
        (
            "levels",
            dict.fromkeys(["easy", "fair", "hard", "mean"], "random"),
            "mapping ... keys",
        ),
        (
            "levels",
            dict.fromkeys(["hard", "fair", "easy"], "random"),
            "mapping ... keys",
        ),
        ("weights", ["deep"], "mapping ... weights"),
        ("weights", {"deep": {}}, "mapping ... `bots`"),
        ("evaluate", 0.5, "a function"),
        ("policy", "best", "a function"),
        ("belief", 0.5, "a function"),
        ("console", 7, "ConsoleText, ... module:NAME"),
        ("console", "nonsense", "ConsoleText, ... module:NAME"),
    ],
)
def test_what_cannot_come_with_a_game_is_refused_where_it_is_declared(
    argument: str, value: Any, wanted: str
) -> None:
    with pytest.raises(RegistryError) as caught:
        Plugin(**{"game": Silent(), argument: value})
    assert tells(str(caught.value), f"{argument} ... {value!r}, ... {wanted}")


def test_a_game_that_is_declared_has_a_name() -> None:
    with pytest.raises(RegistryError, match=r"Nameless .*name"):
        Plugin(Nameless())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("pictrue", "picture"),
        ("PICTURE", "picture"),
        ("rules", "rulebook"),
        ("bot", "bots"),
        ("Evaluate", "evaluate"),
        ("wheights", "weights"),
    ],
)
def test_an_argument_that_there_is_not_suggests_the_nearest(written: str, meant: str) -> None:
    given: Any = {written: None}
    for declare in (partial(Plugin, Silent()), partial(replace, Plugin(Silent()))):
        with pytest.raises(RegistryError, match=f"'{written}'; did you mean '{meant}'"):
            declare(**given)


def test_an_argument_that_resembles_none_is_told_all_that_there_are() -> None:
    given: Any = {"xyzzy": 1}
    with pytest.raises(RegistryError, match=r"Plugin .*'xyzzy'") as caught:
        Plugin(Silent(), **given)
    message = str(caught.value)
    assert all(argument.name in message for argument in fields(Plugin))


def test_a_misspelt_argument_needs_no_type_checker_to_be_found(
    write: Callable[[str], str],
) -> None:
    path = write(declared("Nothing(), pictrue='no.such:Picture'"))
    last = len(Path(path).read_text().splitlines())
    with pytest.raises(RegistryError, match=r"'pictrue'.*'picture'") as caught:
        load(path)
    assert f"(mygame.py, line {last})" in str(caught.value)


@pytest.mark.parametrize("argument", ["picture", "console", "metrics"])
@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("no.such.place:THING", "ModuleNotFoundError: No module named 'no'"),
        ("tabletop.registry:THING", "AttributeError: .* has no attribute 'THING'"),
    ],
)
def test_a_place_is_imported_when_it_is_asked_for_and_named_with_what_is_wrong_there(
    write: Callable[[str], str], argument: str, place: str, why: str
) -> None:
    path = write(declared(f"Nothing(), {argument}={place!r}"))
    plugin = load(path)
    assert getattr(plugin, argument) == place
    said = f"cannot import {argument} '{place}': {why}"
    with pytest.raises(RegistryError, match=said) as caught:
        plugin.import_attribute(argument)
    assert str(caught.value).startswith(f"{path}: ")
    given: Any = {argument: place}
    alone = Plugin(Silent(), **given)
    with pytest.raises(RegistryError) as caught:
        alone.import_attribute(argument)
    assert str(caught.value).startswith(f"cannot import {argument} ")


def test_what_is_at_a_place_is_imported_no_sooner_than_it_is_used(
    write: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "heavy_looks.py").write_text("from lcr.picture import LcrPicture as Looks\n")
    plugin = load(write(declared("Nothing(), picture='heavy_looks:Looks'")))
    assert "heavy_looks" not in sys.modules
    assert isinstance(plugin.make_picture(), LcrPicture)
    assert plugin.import_attribute("picture") is LcrPicture
    assert "heavy_looks" in sys.modules
    assert plugin.import_attribute("console") is None


def test_a_game_alone_has_a_plain_text_all_levels_and_nothing_else() -> None:
    plugin = Plugin(Silent())
    assert type(plugin.text) is TextView
    assert plugin.bot_names == ("easy", "fair", "hard", "random")
    assert (plugin.rules, plugin.picture, plugin.evaluate, plugin.console) == ("", None, None, None)
    assert not plugin.search
    assert not plugin.metrics
    assert not plugin.weights


def test_names_of_bots_are_in_lower_case_but_for_commands_and_files() -> None:
    names = ["Deep", "EXEC:/Bots/Deep --Fast", "Learnt:Values.npz"]
    plugin = Plugin(Silent(), bots=dict.fromkeys(names, Random))
    assert [*plugin.bots] == ["deep", "exec:/Bots/Deep --Fast", "learnt:Values.npz", "random"]
    for name in ("DEEP", "exec:/Bots/Deep --Fast", "LEARNT:Values.npz"):
        assert isinstance(plugin.bot(name, Streams("x")["choices"]), Random)


def test_a_game_without_anything_to_decide_has_no_bots_that_look_ahead() -> None:
    plugin = Plugin(Silent(), levels={})
    assert (plugin.best_bot, plugin.bot_names) == ("random", ("random",))
    for name in ("hard", "search:9"):
        with pytest.raises(RegistryError, match="no choices"):
            plugin.bot(name, Streams("x")["choices"])


def test_a_game_of_a_file_comes_alone_and_its_plugin_with_all(write: Callable[[str], str]) -> None:
    path = write(declared("Nothing(), rulebook='x'") + "GAME = PLUGIN.game\n")
    whole = load(path)
    assert (whole.rules, load(f"{path}:PLUGIN").rules) == ("x", "x")
    assert load(f"{path}:GAME").game is whole.game
    assert load(f"{path}:GAME").rules == ""


def test_what_wants_the_rules_is_given_those_it_comes_with() -> None:
    def evaluate(state: Any, seat: Seat, *, game: Any) -> float:
        return float(game.name == "louder") / 2

    def policy(state: Any, actions: Sequence[Any], game: Any) -> Sequence[Any]:
        return [*actions, game.name]

    class Louder(Silent):
        name = "louder"

    plugin = Plugin(Silent(), evaluate=evaluate, policy=policy, belief=evaluate)
    other = replace(plugin, game=Louder())
    for one, value, name in ((plugin, 0.0, "silent"), (other, 0.5, "louder")):
        assert one.evaluate
        assert one.policy
        assert one.belief
        assert one.evaluate(None, 0) == one.belief(None, 0) == value
        assert one.policy(None, ["act"]) == ["act", name]


def test_what_comes_with_a_game_is_found_by_its_rules_alone(write: Callable[[str], str]) -> None:
    found = plugin_of(lcr.Lcr())
    assert (found.picture, found.rules) == (lcr.PLUGIN.picture, lcr.PLUGIN.rules)
    assert plugin_of(race.GAME).game is race.GAME
    assert plugin_of(sorcery.GAME_2017).rules == sorcery.PLUGIN_2017.rules != sorcery.PLUGIN.rules
    other = Constructor(SMALL, seats=range(2, 5))
    assert (plugin_of(other).game, plugin_of(other).picture) == (other, CONSTRUCTOR.picture)
    assert plugin_of(Silent()).picture is None, "none is declared for it in this module"


PLAYED = """
from tabletop import Plugin, Random
from tabletop.display import TextView

class Loud(TextView):
    def __init__(self, name):
        self.name = name

    def prompt(self, view, seat, names):
        return f"{names[seat].upper()}! {self.name}"

GAME = Nothing()
PLUGIN = Plugin(GAME, text=Loud(GAME.name), bots={"Deep": lambda stream: Random(stream)})
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
    with pytest.raises(RegistryError, match=r"nothing .*'blue'.*: deep, easy, fair, "):
        plugin.bot("blue", stream)


class Chosen:
    """Nearly a player."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def chose(self, view: object, actions: Sequence[object]) -> object:
        return self.stream.choice(actions)


@pytest.mark.parametrize(
    ("maker", "fault"),
    [
        (
            lambda stream: object(),
            r"<object .*> .*\bchoose\(view, ",
        ),
        (
            lambda stream: None,
            r"\bNone .*\bchoose\(view, ",
        ),
        (lambda stream: Random, r"\binstance, Random\(\.\.\.\)\)$"),
        (Chosen, r"\bchose to choose\(view, actions\)\)$"),
    ],
)
def test_a_bot_that_cannot_choose_is_named_with_what_it_lacks(maker: Any, fault: str) -> None:
    plugin = Plugin(Silent(), bots={"odd": maker})
    with pytest.raises(RegistryError, match=f"^bot 'odd': .*{fault}"):
        plugin.bot("odd", Streams("x")["choices"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("fairr", "fair"),
        ("Weihged", "weighed"),
        ("radnom", "random"),
        ("serach:200", "search:200"),
        ("weigted:brick=3", "weighed:brick=3"),
    ],
)
def test_the_bot_that_was_probably_meant_is_named(
    write: Callable[[str], str], typed: str, meant: str
) -> None:
    plugin = load(write(MINIMAL + WEIGHED))
    message = f"nothing .*'{typed}'; .*'{meant}'\\? .*: "
    with pytest.raises(RegistryError, match=message):
        plugin.bot(typed, Streams("x")["choices"])


OWN_LEVELS = """
from tabletop import Plugin, Random
PLUGIN = Plugin(
    Nothing(),
    levels={"easy": "random", "fair": "search:7", "hard": lambda stream, game: Random(stream)},
    search={"exploration": 0.2, "plies": 3},
)
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


@pytest.mark.parametrize(
    ("names", "usual"),
    [
        (["easy", "fair"], "fair"),
        (["easy", "hard"], "hard"),
        (["fair", "hard"], "fair"),
        (["easy"], "easy"),
        ([], "random"),
    ],
)
def test_a_game_may_have_fewer_levels(names: Sequence[str], usual: str) -> None:
    plugin = Plugin(Silent(), levels=dict.fromkeys(names, "search:7"))
    assert plugin.bot_names == (*names, "random")
    assert plugin.best_bot == plugin.usual_level == usual
    for name in {"easy", "fair", "hard"} - {*names}:
        with pytest.raises(RegistryError, match=f"no bot '{name}'"):
            plugin.bot(name, Streams("x")["choices"])


def test_usual_levels_make_a_bounded_number_of_choices_and_declared_ones_what_they_say() -> None:
    stream = Streams("x")["choices"]
    for plugin, bound in (
        (Plugin(Silent()), LEVEL_CHOICES),
        (Plugin(Silent(), levels={"hard": "search:9"}), None),
    ):
        hard = plugin.bot("hard", stream)
        assert isinstance(hard, ISMCTS)
        assert hard._most_choices == bound
        named = plugin.bot("search:9", stream)
        assert isinstance(named, ISMCTS)
        assert named._most_choices is None


SEVERAL = """
class Looking:
    def __init__(self, stream, *, game, seat=None):
        self.stream, self.game, self.seat = stream, game, seat

    def choose(self, view, actions):
        return actions[0]

from dataclasses import replace
from tabletop import Plugin

PLUGIN = Plugin(
    Nothing(),
    bots={
        "looking": Looking,
        "game": lambda stream, game: Looking(stream, game=game),
        "seat": lambda stream, seat: Looking(stream, game=None, seat=seat),
    },
)
SECOND = replace(PLUGIN, game=Nothing())
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

    def choose(self, view, actions):
        return actions[0]

from tabletop import Plugin
PLUGIN = Plugin(
    Nothing(),
    bots={"weighed": Weighed},
    weights={"weighed": {"brick": (0, 9), "share": (0, 1.0)}},
)
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
        "brick=10": "brick must be a whole number from 0 to 9, not '10'",
        "brick=2.5": "brick must be a whole number from 0 to 9, not '2.5'",
        "share=nan": r"share must be a number from 0 to 1\.0, not 'nan'",
        "brick=1:glass=1": "weighed has no weight 'glass'; its weights: brick, share",
        "brik=1": r"weighed has no weight 'brik'; did you mean 'brick'\? its weights: brick, share",
        "": "weighed has no weight ''; its weights: brick, share",
    }.items():
        with pytest.raises(RegistryError, match=f"'weighed:{words}': {why}"):
            plugin.bot(f"weighed:{words}", stream)
    with pytest.raises(RegistryError, match="'random:brick=1'"):
        plugin.bot("random:brick=1", stream)


@pytest.mark.parametrize(
    ("given", "rules"),
    [
        ("rulebook='# Rules'", "# Rules"),
        ("rulebook=__import__('pathlib').Path(__file__).with_name('rules.md')", "# Rules (§1)\n"),
        ("", ""),
    ],
)
def test_the_rules_for_people_are_a_text_or_stand_in_a_file(
    write: Callable[[str], str], tmp_path: Path, given: str, rules: str
) -> None:
    (tmp_path / "rules.md").write_text("# Rules (§1)\n", "utf-8")
    assert load(write(declared(f"Nothing(), {given}"))).rules == rules


def test_rules_for_people_that_cannot_be_read_are_named_when_they_are_asked_for(
    write: Callable[[str], str], tmp_path: Path
) -> None:
    plugin = load(write(declared("Nothing(), rulebook=__import__('pathlib').Path('no/such.md')")))
    with pytest.raises(RegistryError, match=r"mygame\.py: .* rulebook .*no/such\.md"):
        _ = plugin.rules
    (tmp_path / "bytes.md").write_bytes(b"# Rules \xff")
    with pytest.raises(RegistryError, match=r"\brulebook .*bytes\.md.*UnicodeDecodeError"):
        _ = Plugin(Silent(), rulebook=tmp_path / "bytes.md").rules
