"""`check_picture` finds faults of pictures."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from typing_extensions import override

from tabletop import Seat, Watcher
from tabletop.display import (
    CardTable,
    Picture,
    Scene,
    circle,
    group,
    line,
    polygon,
    rect,
    tag,
    text,
)
from tabletop.parts.cards import Card
from tabletop.registry import load
from tabletop.testing import LawBroken, check_picture

LCR = load("lcr").game


class Plain(Picture[Any]):
    """A part that can be clicked to roll, and another element."""

    def __init__(self, beside: str = "") -> None:
        self.beside = beside

    @override
    def draw(self, view: Any, scene: Scene) -> str:
        return self.whole(scene, (9, 9), self.inside(view, scene), label="A picture")

    def inside(self, view: Any, scene: Scene) -> str:
        return self.dice(scene, rect(0, 0, 1, 1, "tt-ring")) + self.beside

    def dice(self, scene: Scene, *body: str) -> str:
        return scene.part("dice", *body, label="Dice")

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


class Trusting(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return super().inside(view, scene) + f"<text>{scene.names[0]}</text>"


class Ringless(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return self.dice(scene, group(rect(0, 0, 1, 1, "tt-ring")))


class Unlit(Plain):
    """Has no line for a part that is lit."""

    @override
    def attempt(self, part: str, view: Any, seat: Seat) -> str:
        if seat in LCR.to_act(view):
            raise KeyError(part)
        return "roll"


def test_only_parts_that_cannot_be_clicked_are_attempted() -> None:
    assert check_picture(LCR, Unlit(), matches=1, plies=3) > 0


class ForgetfulWhenNarrow(Plain):
    @override
    def inside(self, view: Any, scene: Scene) -> str:
        return "" if scene.narrow else super().inside(view, scene)


class Failing(Plain):
    """Raises or returns a wrong value in one method."""

    def __init__(self, method: str, returned: object = KeyError) -> None:
        super().__init__()

        def answer(*arguments: object) -> object:
            if returned is KeyError:
                raise KeyError("boom")
            return returned

        setattr(self, method, answer)


def test_a_correct_picture_is_drawn_for_all_watchers_at_every_step() -> None:
    # Three players, spectators and who sees all, wide and narrow.
    assert check_picture(LCR, Plain(), matches=1, plies=3) == 4 * 5 * 2


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        (Forgetful(), "part 'dice', .*'roll'"),
        (ForgetfulWhenNarrow(), "narrow .* 0 .* no part 'dice'"),
        (Twice(), "two .*'dice'"),
        (Plain(tag("script", "alert(1)")), "<script"),
        (Plain("<g>"), "well-formed"),
        (Restless(), "drawn again"),
        (Meddling(), "changed .*view"),
        (Trusting(), "near .*<text>Player 1 <.* with `text`"),
        (Plain(rect(float("nan"), 0, 1, 1)), r"\bnan\b"),
        (Plain(tag("style", "rect{fill:red}")), "`style`"),
        (Ringless(), "'dice' .*`tt-ring`"),
        (
            Plain(rect(0, 0, 1, 1, "mine tt-stroke-lien")),
            "'tt-stroke-lien'.*'tt-stroke-line'",
        ),
        (Failing("path", ("dice", "dice")), "path .*'dice' twice .*'roll'"),
        (Failing("draw", None), "draw .*None: .*`return`"),
        (Failing("draw", b"<svg/>"), "draw .*b'<svg/>'.* string"),
        (Failing("path", None), "path .*None .*'roll': .* tuple"),
        (Failing("path", "dice"), "path .*'dice' .*'roll': .* tuple"),
        (Failing("path", (3,)), r"path .*\(3,\) .*'roll': .* tuple"),
        (Failing("last", "dice"), "last .*'dice': .* names"),
        (Failing("last", None), "last .*None: .* names"),
        (Failing("last", [3]), r"last .*\[3\]: .* names"),
        (Failing("label", 1), "label .* 1 .*'roll'.* string"),
        (Failing("attempt", None), "attempt .*None .*'dice': .*`return`"),
    ],
)
def test_a_fault_of_a_picture_is_reported(picture: Plain, fault: str) -> None:
    with pytest.raises(LawBroken, match=f"'picture'.*{fault}"):
        check_picture(LCR, picture, matches=1, plies=3)


@pytest.mark.parametrize("method", ["draw", "last", "path", "label", "attempt"])
def test_a_failing_method_is_named_with_its_line(method: str) -> None:
    with pytest.raises(LawBroken, match=rf"\b{method} .*KeyError.* test_pictures\.py, line \d"):
        check_picture(LCR, Failing(method), matches=1, plies=3)


class Wordy(CardTable[Any]):
    """A card table. The status must fit next to others on a phone."""

    def __init__(self, words: str) -> None:
        self.words = words

    @override
    def hands(self, view: Any, seat: Watcher) -> list[list[Card]]:
        return [[] for _ in view.chips]

    @override
    def status(self, view: Any, seat: Seat) -> str:
        return self.words


@pytest.mark.slow
def test_a_shortened_status_is_reported() -> None:
    assert check_picture(LCR, Wordy("0 points"), matches=1, plies=9) > 0
    said = (
        r"the narrow picture .* shortens '0 points, 13 nights' to '0 points.*…'"
        r" \(19 characters, room for \d+\)"
    )
    with pytest.raises(LawBroken, match=said):
        check_picture(LCR, Wordy("0 points, 13 nights"), matches=1, plies=9)


@pytest.mark.parametrize(
    ("piece", "where"),
    [
        (rect(7, 0, 4, 1), "rect> from 7 to 11, 0 to 1"),
        (group(circle(0, 0, 3), at=(4, 8)), "circle> from 1 to 7, 5 to 11"),
        (group(rect(0, 0, 4, 1), at=(4, 7), turn=90), "rect> from 3 to 4, 7 to 11"),
        (
            tag("g", rect(0, 0, 3, 3), transform="scale(4)"),
            "rect> from 0 to 12, 0 to 12",
        ),
        (line(1, 1, 1, -3), "line> from 1 to 1, -3 to 1"),
        (polygon([(0, 0), (4, 4), (-4, 4)]), "polygon> from -4 to 4, 0 to 4"),
        (text(5, 5, "Hello", 4, 99), "text> from 5 to "),
    ],
)
def test_an_element_outside_of_the_picture_is_found(piece: str, where: str) -> None:
    with pytest.raises(LawBroken) as caught:
        check_picture(LCR, Plain(piece), matches=1, plies=3)
    assert f"is 9 by 9, but a <{where}" in caught.value.what
    assert caught.value.what.endswith("is cut off at the border")


@pytest.mark.parametrize(
    "piece",
    [
        rect(0, 0, 9, 9),
        rect(-0.5, 0, 9, 9),
        circle(0, 0, 30, "tt-hit"),
        tag("defs", circle(0, 0, 30)),
        tag("g", circle(0, 0, 30), clip_path="url(#clip)"),
        tag("svg", circle(0, 0, 30), x=1, y=1, width=5, height=5),
        tag("rect", width="100%", height="100%"),
        tag("g", rect(0, 0, 90, 90), transform="scale(.1)"),
        tag("g", rect(5, 5, 1, 1), transform="rotate(90 5 5)"),
    ],
)
def test_elements_within_the_picture_pass(piece: str) -> None:
    assert check_picture(LCR, Plain(piece), matches=1, plies=1)


# The games' own tests hold it of boards that are full, and of testing mode.
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param("constructor-small", marks=pytest.mark.matrix), "sorcery"]
)
def test_the_pictures_of_bundled_games_pass(name: str) -> None:
    assert check_picture(load(name).game, matches=1, plies=8) > 50
