"""`tabletop new`: a package that can be played, checked and type-checked at once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import distribution, version
from pathlib import Path

import pytest

from tabletop import Match
from tabletop.cli.new import KINDS, package
from tabletop.envs.aec import Env
from tabletop.registry import load
from tests.tabletop.cli.program import refused, shown

LONGEST = 88
"""The default line length of ruff."""
MATRIX = pytest.mark.matrix


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield
    for name in sys.modules.keys() - before:
        if name.partition("castle_")[0] in {"", "test_"}:
            del sys.modules[name]


def made(kind: str) -> Path:
    """Return the folder of a package with the module `castle_KIND`."""
    shown("new", f"castle_{kind}", "--kind", kind)
    return Path(f"castle_{kind}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_contains_a_complete_game_with_an_entry_point(kind: str) -> None:
    folder = made(kind)
    name = folder.name
    files = {it.relative_to(folder).as_posix() for it in folder.rglob("*") if it.is_file()}
    assert files == {
        ".github/workflows/check.yml",
        ".gitignore",
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        f"src/{name}/__init__.py",
        f"src/{name}/bots.py",
        f"src/{name}/picture.py",
        f"src/{name}/py.typed",
        f"src/{name}/rules.md",
        f"src/{name}/rules.py",
        f"src/{name}/text.py",
        f"tests/test_{name}.py",
        f"tests/test_{name}_contract.py",
    }
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    [(game, place)] = project["entry-points"]["tabletop.games"].items()
    plugin = load(f"{folder}/src/{place}")
    assert (plugin.game.name, plugin.game.title) == (game, f"Castle {kind}")
    assert plugin.rules.startswith(f"# Castle {kind}\n")
    assert len(plugin.text.position(Match(plugin.game).view(0), ["Ada", "Bo", "Cy", "Di"][:2])) > 9
    parts = (plugin.game, plugin.text, plugin.make_picture())
    assert [type(it).__module__ for it in parts] == [
        f"{name}.{room}" for room in ("rules", "text", "picture")
    ]


def test_a_package_requires_the_minor_version_that_created_it() -> None:
    project = tomllib.loads((made("dice") / "pyproject.toml").read_text("utf-8"))["project"]
    major, minor = map(int, version("tabletop-rules").split(".")[:2])
    bounds = f">={major}.{minor},<{major}.{minor + 1}"
    assert project["dependencies"] == [f"tabletop-rules{bounds}"]


def test_a_package_installs_tabletop_from_the_same_place() -> None:
    text = distribution("tabletop-rules").read_text("direct_url.json")
    assert text is not None
    command = f"pip install 'tabletop-rules @ {json.loads(text)['url']}'"
    folder = made("dice")
    for path in ("README.md", ".github/workflows/check.yml"):
        assert command in (folder / path).read_text("utf-8")


def test_a_package_has_no_install_address_if_tabletop_came_from_an_index() -> None:
    assert not any("tabletop-rules @" in text for text in package("castles", "dice").values())
    assert not any("my-tabletop" in text for text in package("castles", "dice").values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_contains_no_name_of_the_template(kind: str) -> None:
    shown("new", "castles", "--kind", kind)
    texts = [it.read_text("utf-8") for it in Path("castles").rglob("*") if it.is_file()]
    assert not [text for text in texts if "game" in text and "my" in text.casefold().split()]
    assert not [text for text in texts if "my_game" in text or "templates" in text]
    assert 'castles = "castles:PLUGIN"' in Path("castles/pyproject.toml").read_text("utf-8")


def test_a_name_may_start_like_that_of_the_templates() -> None:
    shown("new", "my_game_two")
    texts = {it: it.read_text("utf-8") for it in Path("my_game_two").rglob("*.*") if it.is_file()}
    declared = texts[Path("my_game_two/src/my_game_two/__init__.py")]
    assert 'picture="my_game_two.picture:Drawing"' in declared
    assert not [text for text in texts.values() if "two_two" in text or "two-two" in text]


@pytest.mark.parametrize("kind", KINDS)
def test_rules_do_not_import_texts_or_pictures(kind: str) -> None:
    rules = (made(kind) / f"src/castle_{kind}/rules.py").read_text("utf-8")
    imported = re.findall(r"^from (\S+) import", rules, re.MULTILINE)
    assert {it for it in imported if it.startswith((".", "tabletop"))} <= {
        "tabletop",
        f"tabletop.parts.{kind}",
        "tabletop.states",
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_wheel_of_a_package_contains_all_its_files(kind: str) -> None:
    folder = made(kind).resolve()
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    command = [sys.executable, "-c", build, str(folder)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        held = {name for name in opened.namelist() if name.startswith(f"{folder.name}/")}
    source = folder / "src"
    there = {it.relative_to(source).as_posix() for it in (source / folder.name).iterdir()}
    assert held == there


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=MATRIX if kind == "cards" else ()) for kind in KINDS]
)
def test_a_package_passes_its_own_tests(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(kind).resolve()
    monkeypatch.syspath_prepend(folder / "src")
    monkeypatch.syspath_prepend(folder / "tests")
    modules = (f"test_{folder.name}", f"test_{folder.name}_contract")
    tests = {name: it for module in modules for name, it in vars(import_module(module)).items()}
    own = [test for name, test in tests.items() if name.startswith("test_")]
    assert len(own) >= 3
    for test in own:
        test()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_package_is_a_learning_environment(kind: str) -> None:
    env = Env(f"{made(kind)}/src/castle_{kind}:PLUGIN", seats=2)
    env.reset(seed=1)
    for _ in env.agent_iter(400):
        seen, _, ended, _, _ = env.last()
        env.step(None if ended else int(seen["action_mask"].nonzero()[0][-1]))
    assert not env.agents


@pytest.mark.parametrize("kind", KINDS)
def test_the_next_step_plays_a_package_that_is_not_installed(kind: str) -> None:
    printed = shown("new", "castles", "--kind", kind)
    assert "tabletop play src/castles:PLUGIN --bot 2\n" in printed
    assert load("castles/src/castles:PLUGIN").game.name == "castles"


@pytest.mark.slow
def test_packages_have_no_warnings() -> None:
    folders = [str(made(kind)) for kind in KINDS]
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", *folders]
    assert subprocess.run(ruff, check=False).returncode == 0
    form = [sys.executable, "-m", "ruff", "format", "--check", *folders]
    assert subprocess.run(form, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "tool",
    [
        "ruff check --no-cache",
        "ruff format --no-cache --check",
        pytest.param("mypy --cache-dir=../cache", marks=MATRIX),
    ],
)
def test_packages_keep_to_their_own_settings(tool: str) -> None:
    for folder in map(made, KINDS):
        command = [sys.executable, "-m", *tool.split()]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_code_of_pages_passes_the_settings_of_a_package() -> None:
    folder, root = made("cards"), Path(__file__).parents[3]
    shown_whole = {it.stem: it.read_text("utf-8") for it in (root / "examples").glob("*.py")}
    for page in (root / "docs" / "how-to").glob("*.md"):
        text = page.read_text("utf-8")
        for name, code in re.findall(r'(?ms)^```python title="(\w+)\.py"\n(.*?)^```', text):
            if "--8<--" not in code:
                module = f"{page.stem.replace('-', '_')}_{name}"
                shown_whole[module] = shown_whole.get(module, "") + code
    for name, code in shown_whole.items():
        (folder / "src" / folder.name / f"{name}.py").write_text(code, "utf-8")
    # Lines of a page are narrow: imports stand in fewer of them than ruff gives them.
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--extend-ignore", "I001"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(shown_whole) > 30


@pytest.mark.parametrize("kind", KINDS)
def test_templates_have_the_default_line_length_of_ruff(kind: str) -> None:
    lines = [line for text in package("castles", kind).values() for line in text.splitlines()]
    assert max(map(len, lines)) <= LONGEST


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("my-game", "lower-case"),
        ("MyGame", "lower-case"),
        ("2048", "lower-case"),
        ("my__game", "lower-case"),
        ("../mine", "lower-case"),
        ("a" * 41, "40 characters"),
        ("class", "reserved word"),
        ("nul", "reserved word"),
        ("com1", "reserved word"),
        ("json", "a module called json"),
        ("winreg", "a module called winreg"),
        ("tabletop", "a module called tabletop"),
        ("pytest", "a module called pytest"),
        ("lcr", "a game called lcr"),
        ("constructor_small", "a game called constructor-small"),
    ],
)
def test_an_unusable_name_is_refused(name: str, why: str) -> None:
    assert why in refused("new", name)
    assert list(Path().iterdir()) == []


def test_a_very_long_name_is_shortened_in_the_message() -> None:
    assert len(refused("new", "a" * 300)) < 150


def test_a_dangling_link_counts_as_existing() -> None:
    Path("castles").symlink_to("gone")
    assert "castles already exists" in refused("new", "castles")


def test_an_existing_folder_is_not_changed() -> None:
    Path("castles").mkdir()
    assert "castles already exists" in refused("new", "castles")
    assert list(Path().rglob("*")) == [Path("castles")]


def test_a_failure_leaves_no_partial_package(monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = Path.write_text, []

    def fail_later(path: Path, *arguments: str, **more: str) -> int:
        written.append(path)
        if len(written) == 3:
            raise OSError(28, "No space left on device", str(path))
        return write(path, *arguments, **more)

    monkeypatch.setattr(Path, "write_text", fail_later)
    assert "No space left on device" in refused("new", "castles", status=1)
    assert list(Path().iterdir()) == []
