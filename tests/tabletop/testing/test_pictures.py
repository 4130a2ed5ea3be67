"""`check_picture` finds what is wrong with how a game looks."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from typing_extensions import override

from tabletop import Seat
from tabletop.picture import Picture, Scene
from tabletop.registry import installed, load
from tabletop.svg import rect, tag
from tabletop.testing import LawBroken, check_picture

LCR = load("lcr").game


class Plain(Picture[Any]):
    """One part, that rolls."""

    @override
    def draw(self, view: Any, scene: Scene) -> str:
        return self.whole(scene, (9, 9), self.inside(view, scene), label="A picture")

    def inside(self, view: Any, scene: Scene) -> str:
        return scene.part("dice", rect(0, 0, 1, 1, "tt-ring"), label="Dice")

    @override
    def path(self, action: Any, view: Any, seat: Seat) -> tuple[str, ...]:
        return ("dice",)


class Forgetful(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return ""


class Twice(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return 2 * super().inside(view, scene)


class Scripted(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + tag("script", "alert(1)")


class Broken(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + "<g>"


class Restless(Plain):
    numbers = count()

    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + tag("g", data_n=next(self.numbers))


class Meddling(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        view.chips[0] += 1
        return super().inside(view, scene)


def test_a_sound_picture_is_drawn_for_everybody_at_every_step() -> None:
    # Three players, spectators and who sees all, wide and narrow.
    assert check_picture(LCR, Plain(), matches=1, plies=3) == 4 * 5 * 2


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (Forgetful(), "has no part 'dice', that is to be clicked for 'roll'"),
        (Twice(), "has two parts called 'dice'"),
        (Scripted(), "has <script in it"),
        (Broken(), "is not well-formed"),
        (Restless(), "differs when it is drawn again"),
        (Meddling(), "has changed the view"),
    ],
    ids=lambda it: type(it).__name__ if isinstance(it, Picture) else "",
)
def test_what_is_wrong_with_a_picture_is_said(picture: Plain, said: str) -> None:
    with pytest.raises(LawBroken, match="breaks the law 'picture'") as caught:
        check_picture(LCR, picture, matches=1, plies=3)
    assert said in caught.value.what


class Failing(Plain):
    """Raises, or returns what it should not, in one method."""

    def __init__(self, method: str, returned: object = KeyError) -> None:
        def answer(*arguments: object) -> object:
            if returned is KeyError:
                raise KeyError("boom")
            return returned

        setattr(self, method, answer)


@pytest.mark.parametrize("method", ["draw", "path", "label", "attempt"])
def test_a_method_that_fails_is_named_with_the_line(method: str) -> None:
    with pytest.raises(LawBroken, match=f"{method} raised KeyError.*in test_pictures.py, line"):
        check_picture(LCR, Failing(method), matches=1, plies=3)


@pytest.mark.parametrize(
    ("method", "returned", "said"),
    [
        ("draw", None, "draw returns None: is a `return` missing?"),
        ("draw", b"<svg/>", "draw returns b'<svg/>', which is no text"),
        ("path", None, "path returns None for 'roll': return the names of its parts"),
        ("path", "dice", r"path returns 'dice' for 'roll': write \('dice',\)"),
        ("path", (3,), "path returns 3 for 'roll', which is no name of a part"),
        ("label", 1, "label returns 1 for 'roll', which is no text"),
        ("attempt", None, "attempt returns None for the part 'dice': is a `return` missing?"),
    ],
)
def test_a_method_that_returns_something_else_is_told_what_to_return(
    method: str, returned: object, said: str
) -> None:
    with pytest.raises(LawBroken, match=said):
        check_picture(LCR, Failing(method, returned), matches=1, plies=3)


class Trusting(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + f"<text>{scene.names[0]}</text>"


class Numberless(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + rect(float("nan"), 0, 1, 1)


class Styled(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + tag("style", "rect{fill:red}")


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (Trusting(), "near .*<text>Player 1 <.* go through `text`"),
        (Numberless(), "has nan for a number"),
        (Styled(), "its CSS belongs into `style`"),
    ],
)
def test_words_of_people_numbers_and_styles_are_looked_at(picture: Plain, said: str) -> None:
    with pytest.raises(LawBroken, match=said):
        check_picture(LCR, picture, matches=1, plies=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(installed()))
def test_the_pictures_of_every_bundled_game_are_sound(name: str) -> None:
    assert check_picture(load(name).game, matches=2, plies=40) > 100
