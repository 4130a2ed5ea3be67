"""Players with life and magic, whose turn it is, and the buttons."""

from __future__ import annotations

from sorcery.pictures.icons import HEART
from sorcery.pictures.parts import DISCARD, END, player_part
from sorcery.pictures.sight import Sight
from sorcery.text import SorceryText, sentence
from tabletop import Seat
from tabletop.motifs import motif
from tabletop.svg import measure, path, polygon, rect, seat_mark, tag, text


def draw_player(sight: Sight, seat: Seat, x: float, y: float, width: float, height: float) -> str:
    """A player: name, life and magic; the one whose turn it is has a mark on the left."""
    side, scene = sight.view.sides[seat], sight.scene
    name, active = scene.names[seat], sight.is_active(seat)
    middle = height / 2
    tight = width < 260  # the name stands above the numbers
    rise, from_left = (height * 0.72, 54) if tight else (middle, width - 124)
    room = width - (58 if tight else 180)
    label = f"{name}: {side.life} life, {side.magic} magic"
    if active:
        label += ", it is their turn" if seat != scene.seat else ", it is your turn"
    return scene.part(
        player_part(seat),
        rect(0, 0, width, height, "tt-card", 10),
        _turn_mark(height) if active else "",
        seat_mark(seat, 26, middle, 14),
        text(46, height * 0.38 if tight else middle + 6, name, 17, room, bold=True),
        _count(from_left, rise, _heart(), side.life),
        _count(from_left + 66, rise, _crystal(), side.magic),
        rect(-3, -3, width + 6, height + 6, "tt-ring", 12),
        label=label,
        key=player_part(seat),
        about=f"{len(side.hand)} in hand, {len(side.deck)} in the deck,"
        f" {len(side.graveyard)} in the graveyard",
        at=(x, y),
    )


def _turn_mark(height: float) -> str:
    """An edge and a pointer, for the one whose turn it is."""
    middle = height / 2
    return rect(0, 0, 7, height, "tt-accent", 3) + polygon(
        [(-13, middle - 8), (-3, middle), (-13, middle + 8)], "tt-accent"
    )


def _count(x: float, middle: float, sign: str, number: int) -> str:
    return tag("g", sign, transform=f"translate({x:g} {middle:g})") + text(
        x + 14, middle + 7, str(number), 19, 40, "tt-number", bold=True, floor=0.4
    )


def _heart() -> str:
    return path(HEART, fill="#c23b32", stroke="#7d1f2b", stroke_width=1)


def _crystal() -> str:
    return tag("g", motif("crystal", "violet"), transform="translate(-12 -12) scale(0.24)")


def draw_centre(sight: Sight, x: float, y: float, width: float) -> str:
    """Between the two sides: whose turn it is, what has just happened, and how it ended."""
    left = width * 0.36
    said = _just_happened(sight, width - left - 4)
    room = left if said else width
    muted = "tt-text-muted"
    return text(x + 4, y + 19, _standing(sight), 14, room - 8, bold=True) + text(
        x + width - 4, y + 19, said, 13, width - left - 4, muted, anchor="end", floor=0.8
    )


def _standing(sight: Sight) -> str:
    """Whose turn it is, or how it ended."""
    scene, view = sight.scene, sight.view
    if scene.outcome is not None:
        return SorceryText().outcome(scene.outcome, scene.names)
    if view.over:
        return "The game is over"
    whose = "Your turn" if view.turn == scene.seat else f"{scene.names[view.turn]}'s turn"
    return f"{whose} (testing mode)" if view.testing else whose


def _just_happened(sight: Sight, room: float) -> str:
    """The first sentences of what has happened since the last picture, as many as there is room."""
    sentences = (sentence(event, sight.scene.names, fully=True) for event in sight.scene.recent)
    said = ""
    for words in filter(None, sentences):
        longer = f"{said} {words}".strip()
        if said and measure(longer, 13) > room:
            break
        said = longer
    return said


def draw_end(sight: Sight, x: float, y: float, width: float, height: float) -> str:
    """The button that ends the turn."""
    return _button(sight, END, "End turn", x, y, width, height)


def draw_discard(sight: Sight, x: float, y: float, width: float, height: float) -> str:
    """The button that discards a card; nothing outside of testing mode."""
    if not sight.view.testing:
        return ""
    return _button(sight, DISCARD, "Discard", x, y, width, height)


def _button(
    sight: Sight, part: str, words: str, x: float, y: float, width: float, height: float
) -> str:
    lit = sight.scene.is_lit(part)
    return sight.scene.part(
        part,
        rect(0, 0, width, height, "tt-card" if lit else "tt-paper-deep tt-stroke-line", 9),
        text(
            width / 2,
            height / 2 + 6,
            words,
            16,
            width - 12,
            "" if lit else "tt-text-muted",
            anchor="middle",
            bold=True,
        ),
        rect(-2, -2, width + 4, height + 4, "tt-ring", 11),
        label=words,
        at=(x, y),
    )
