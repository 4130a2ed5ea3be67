"""The parts of a table's picture: players, minions, rituals, graveyards, decks and hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from sorcery.cards.card import Card, plain
from sorcery.cards.state import HIDDEN, PLACES, CardInstance, Minion, SorceryState
from sorcery.picture.cards import (
    HEART,
    HEIGHT,
    MOST_ABILITIES,
    SMALL_HEIGHT,
    SMALL_WIDTH,
    WIDTH,
    Shown,
    back,
    blocks,
    centred_text,
    coin,
    draw_card,
    draw_small_card,
    move_and_scale,
    show_held_card,
)
from sorcery.picture.clicks import part
from sorcery.picture.labels import (
    about_deck,
    about_graveyard,
    about_minion,
    name_of_face,
    name_of_minion,
    note_of,
    ribbons_of,
)
from sorcery.rules.minion_stats import abilities_of, ability_cost, is_silenced
from sorcery.text.card_faces import face_of_held, face_of_minion, face_of_ritual
from sorcery.text.text_view import SorceryText, sentence
from tabletop import ALL, Seat
from tabletop.display import (
    Scene,
    circle,
    escape,
    group,
    measure,
    motif,
    paragraph,
    path,
    polygon,
    rect,
    seat_mark,
    tag,
    text,
)
from tabletop.wording import plural


@dataclass(frozen=True)
class PictureContext:
    """The view to draw and its viewer."""

    view: SorceryState
    scene: Scene
    cards: Mapping[str, Card]

    @property
    def below(self) -> Seat:
        """Seat at the bottom: the viewer's, or else player 2, as on the text board."""
        seat = self.scene.seat
        return seat if isinstance(seat, int) and seat in (0, 1) else 1

    @property
    def above(self) -> Seat:
        """Seat at the top."""
        return 1 - self.below

    @property
    def plays(self) -> bool:
        """Whether the viewer has a seat and can click buttons."""
        return self.scene.live and self.scene.seat == self.below

    def sees_hand(self, seat: Seat) -> bool:
        """Return whether the cards of a hand are face up."""
        hand = self.view.sides[seat].hand
        return self.scene.seat in (seat, ALL) and all(card.card != HIDDEN for card in hand)

    def is_active(self, seat: Seat) -> bool:
        """Return whether it is the turn of `seat`."""
        return seat == self.view.turn and not self.view.over

    @cached_property
    def keys(self) -> Mapping[tuple[Seat, str, int], str]:
        """Keys of the cards that move between zones, by seat, zone and place.

        Cards with the same name are counted from the graveyard over the board to the hand. A card
        therefore keeps its key when it is played or dies.
        """
        keys = {}
        for seat, side in enumerate(self.view.sides):
            seen: Counter[str] = Counter()
            rituals = [side.ritual.card] if side.ritual else []
            zones = {
                "graveyard": [card.card for card in side.graveyard],
                "minion": [minion.card for minion in side.minions],
                "ritual": rituals,
                "hand": [card.card for card in side.hand],
            }
            for zone, names in zones.items():
                for place, name in enumerate(names):
                    keys[seat, zone, place] = f"{seat}/{name}/{seen[name]}"
                    seen[name] += 1
        return keys


def draw_player(
    ctx: PictureContext, seat: Seat, x: float, y: float, width: float, height: float
) -> str:
    """Draw a player with name, life and magic. The active player has a mark on the left."""
    side, scene = ctx.view.sides[seat], ctx.scene
    name, active = scene.names[seat], ctx.is_active(seat)
    middle = height / 2
    tight = width < 260  # the name is above the numbers
    rise, from_left = (height * 0.72, 54) if tight else (middle, width - 124)
    room = width - (58 if tight else 180)
    pointer = [(-13, middle - 8), (-3, middle), (-13, middle + 8)]
    mark = rect(0, 0, 7, height, "tt-accent", 3) + polygon(pointer, "tt-accent")
    heart = path(HEART, fill="#c23b32", stroke="#7d1f2b", stroke_width=1)
    crystal = move_and_scale(motif("crystal", "violet"), -12, -12, 0.24)
    label = f"{name}: {side.life} life, {side.magic} magic"
    if active:
        label += ", it is their turn" if seat != scene.seat else ", it is your turn"
    return scene.part(
        part("player", seat),
        rect(0, 0, width, height, "tt-card", 10),
        mark if active else "",
        seat_mark(seat, 26, middle, 14),
        text(46, height * 0.38 if tight else middle + 6, name, 17, room, bold=True),
        _count(from_left, rise, heart, side.life),
        _count(from_left + 66, rise, crystal, side.magic),
        rect(-3, -3, width + 6, height + 6, "tt-ring", 12),
        label=label,
        key=part("player", seat),
        about=f"{len(side.hand)} in hand, {len(side.deck)} in the deck,"
        f" {len(side.graveyard)} in the graveyard",
        at=(x, y),
    )


def _count(x: float, middle: float, sign: str, number: int) -> str:
    return tag("g", sign, transform=f"translate({x:g} {middle:g})") + text(
        x + 14, middle + 7, str(number), 19, 40, "tt-number", bold=True, floor=0.4
    )


def draw_centre(ctx: PictureContext, x: float, y: float, width: float) -> str:
    """Draw the line between the two sides: active player or outcome, and the last events."""
    left = width * 0.36
    recent = _recent_events(ctx, width - left - 4)
    room = left if recent else width
    muted = "tt-text-muted"
    return text(x + 4, y + 19, _name_turn(ctx), 14, room - 8, bold=True) + text(
        x + width - 4, y + 19, recent, 13, width - left - 4, muted, anchor="end", floor=0.8
    )


def _name_turn(ctx: PictureContext) -> str:
    """Return a text that names the active player, or the outcome."""
    scene, view = ctx.scene, ctx.view
    if scene.outcome is not None:
        return SorceryText().outcome(scene.outcome, scene.names)
    if view.over:
        return "The game is over"
    whose = "Your turn" if view.turn == scene.seat else f"{scene.names[view.turn]}'s turn"
    return f"{whose} (testing mode)" if view.testing else whose


def _recent_events(ctx: PictureContext, room: float) -> str:
    """Return the first sentences about the latest events that fit into `room`."""
    sentences = (sentence(event, ctx.scene.names, fully=True) for event in ctx.scene.recent)
    result = ""
    for words in filter(None, sentences):
        longer = f"{result} {words}".strip()
        if result and measure(longer, 13) > room:
            break
        result = longer
    return result


def draw_button(
    ctx: PictureContext, name: str, words: str, x: float, y: float, width: float, height: float
) -> str:
    """Draw a button. `name` is the name of its part, and `words` its label."""
    lit = ctx.scene.is_lit(name)
    muted = "" if lit else "tt-text-muted"
    return ctx.scene.part(
        name,
        rect(0, 0, width, height, "tt-card" if lit else "tt-paper-deep tt-stroke-line", 9),
        centred_text(width / 2, height / 2 + 6, words, 16, width - 12, muted),
        rect(-2, -2, width + 4, height + 4, "tt-ring", 11),
        label=words,
        at=(x, y),
    )


TURNED: Final = 3.5
"""Angle in degrees of a minion that cannot act now."""

CHIP: Final = 32
REACH: Final = 44
"""Height of an ability's button, and of its clickable area, on a narrow screen."""


@dataclass(frozen=True, slots=True)
class Row:
    """The layout of a row of minions."""

    left: float
    gap: float
    small: bool
    ribbon: float
    """Height of an enchantment. There is room for `least` to `most` of them."""

    least: int
    most: int
    places: int = PLACES

    @property
    def width(self) -> int:
        """Width of a card."""
        return SMALL_WIDTH if self.small else WIDTH

    @property
    def height(self) -> int:
        """Height of a card."""
        return SMALL_HEIGHT if self.small else HEIGHT

    def x(self, place: int) -> float:
        """Return the left edge of a card."""
        return self.left + place * (self.width + self.gap)

    def depth(self, minions: Iterable[Minion], cards: Mapping[str, Card]) -> float:
        """Return the height of the enchantments below the cards."""
        counts = (len(ribbons_of(minion, cards, brief=True)) for minion in minions)
        shown = min(self.most, max(self.least, *counts, 0))
        return shown * self.ribbon + 4 if shown else 0

    def chips(self, minions: Iterable[Minion], cards: Mapping[str, Card]) -> float:
        """Return the height of the ability buttons below the cards."""
        if self.small and any(abilities_of(minion, cards) for minion in minions):
            return CHIP + 3
        return 0


def draw_minions(ctx: PictureContext, seat: Seat, row: Row, y: float, depth: float) -> str:
    """Draw the minions and empty places of a seat on a mat that extends `depth` below them."""
    side = ctx.view.sides[seat]
    slots = (
        _slot(row.x(place), y, row.width, row.height)
        for place in range(len(side.minions), row.places)
    )
    mat = rect(
        row.left - row.gap / 2,
        y - 7,
        row.places * (row.width + row.gap),
        row.height + 14 + depth,
        "tt-cloth-deep",
        row.width / 9,
    )
    return "".join(
        (
            mat,
            *slots,
            *(
                _minion(ctx, seat, row, place, y) + _abilities(ctx, seat, row, place, y)
                for place in range(len(side.minions))
            ),
        )
    )


def _minion(ctx: PictureContext, seat: Seat, row: Row, place: int, y: float) -> str:
    minion = ctx.view.sides[seat].minions[place]
    active = ctx.is_active(seat)
    shown = _show_minion(minion, ctx, active=active, brief=row.small)
    half, tall = row.width / 2, row.height / 2
    draw = draw_small_card if row.small else draw_card
    chips = row.chips([minion], ctx.cards) if ctx.scene.seat == seat else 0
    return ctx.scene.part(
        part("minion", seat, place),
        group(
            _ribbons(minion, ctx.cards, row, chips),
            draw(shown),
            at=(-half, -tall),
        ),
        rect(-half - 1.5, -tall - 1.5, row.width + 3, row.height + 3, "tt-ring", row.width / 13),
        label=name_of_minion(minion, ctx.cards, active=active),
        key=ctx.keys[seat, "minion", place],
        about=about_minion(minion, ctx.cards),
        at=(row.x(place) + half, y + tall),
        turn=TURNED if shown.dim else 0,
    )


def _show_minion(minion: Minion, ctx: PictureContext, *, active: bool, brief: bool) -> Shown:
    cards = ctx.cards
    card = cards[minion.card]
    abilities = abilities_of(minion, cards)
    return Shown(
        face_of_minion(minion, cards),
        attack=minion.attack - card.attack,
        defence=minion.defence - card.defence,
        raised_cost=any(
            ability_cost(ability, minion, cards) > ability.cost for ability in abilities
        ),
        gained_ability=abilities is not card.abilities,
        own_triggers=len(card.triggers),
        silenced=is_silenced(minion, cards),
        note=note_of(minion, cards, active=active, brief=brief),
        dim=active and not minion.actions,
    )


# Enchantments.


def _ribbons(minion: Minion, cards: Mapping[str, Card], row: Row, lower: float) -> str:
    """Draw the enchantments below a card, the newest at the top."""
    ribbons = ribbons_of(minion, cards, brief=row.small)
    if len(ribbons) > row.most:
        hidden = len(ribbons) - row.most + 1
        silences = any(silence for _, silence in ribbons[row.most - 1 :])
        ribbons = [*ribbons[: row.most - 1], (f"and {hidden} more", silences)]
    top = row.height + 4 + lower
    return "".join(
        _ribbon(words, row, top + number * row.ribbon, silences=silences)
        for number, (words, silences) in enumerate(ribbons)
    )


def _ribbon(words: str, row: Row, y: float, *, silences: bool) -> str:
    width, height = row.width, row.ribbon - 1.5
    notch = height / 3
    shape = [
        (0.0, y),
        (width, y),
        (width - notch, y + height / 2),
        (width, y + height),
        (0.0, y + height),
        (notch, y + height / 2),
    ]
    size = 8.5 if row.small else 11
    base, room = y + height / 2 + size * 0.35, width - 2 * notch - 4
    return polygon(shape, fill="#8c2230" if silences else "#5b3a8c") + centred_text(
        width / 2, base, words, size, room, "tt-text-on-blue", 0.8
    )


# Clickable abilities.


def _abilities(ctx: PictureContext, seat: Seat, row: Row, place: int, y: float) -> str:
    """Draw the abilities of the viewer's own minion as separate parts."""
    if ctx.scene.seat != seat:
        return ""
    minion = ctx.view.sides[seat].minions[place]
    shown = _show_minion(minion, ctx, active=ctx.is_active(seat), brief=row.small)
    return "".join(
        ctx.scene.part(
            part("ability", place, number),
            _chip(row, shown, number) if row.small else _box(row, shown, number),
            label=f"Ability of {minion.card}, {cost} magic: {plain(words)}",
            at=(row.x(place) + row.width / 2, y + row.height / 2),
            turn=TURNED if shown.dim and not row.small else 0,
        )
        for number, (cost, words) in enumerate(shown.face.abilities[:MOST_ABILITIES])
    )


def _box(row: Row, shown: Shown, number: int) -> str:
    """Draw the clickable area of an ability on its card."""
    block = blocks(shown)[number]
    at = (-row.width / 2 + 4, block.top - row.height / 2 - 2.5)
    size = (row.width - 8, max(20.0, block.height + 5))
    return rect(*at, *size, "tt-hit") + rect(*at, *size, "tt-ring", 5)


def _chip(row: Row, shown: Shown, number: int) -> str:
    """Draw a button for an ability below a small card. Two buttons share the width."""
    count = min(MOST_ABILITIES, len(shown.face.abilities))
    width = row.width / count
    left, top = -row.width / 2 + number * width, row.height / 2 + 5
    words, cost = "" if count > 1 else "Use", str(shown.face.abilities[number][0])
    return "".join(
        (
            rect(left, top + CHIP - REACH, width, REACH, "tt-hit"),
            rect(left + 1, top, width - 2, CHIP, "tt-card", 7),
            coin(left + width / 2 - (13 if words else 0), top + CHIP / 2, 10, cost),
            text(left + width / 2 + 1, top + CHIP / 2 + 5, words, 13, 30, bold=True),
            rect(left + 1, top, width - 2, CHIP, "tt-ring", 7),
        )
    )


def draw_ritual(ctx: PictureContext, seat: Seat, x: float, y: float, *, is_small: bool) -> str:
    """Draw the ritual of a player, or an empty place."""
    ritual = ctx.view.sides[seat].ritual
    name = ctx.scene.names[seat]
    if ritual is None:
        return _empty("Ritual", "sigil", x, y, is_small=is_small)
    face = face_of_ritual(ritual, ctx.cards)
    return ctx.scene.part(
        part("ritual", seat),
        draw_small_card(Shown(face)) if is_small else draw_card(Shown(face)),
        _ring(*_size(is_small=is_small)),
        label=f"{name}'s ritual: {ritual.card}, {plural(ritual.charges, 'charge')} left",
        key=ctx.keys[seat, "ritual", 0],
        about="\n".join(face.in_full()),
        at=(x, y),
    )


def draw_graveyard(ctx: PictureContext, seat: Seat, x: float, y: float, *, is_small: bool) -> str:
    """Draw the top card of a graveyard, and the number of cards."""
    cards = ctx.view.sides[seat].graveyard
    name = ctx.scene.names[seat]
    label = f"{name}'s graveyard, {plural(len(cards), 'card')}"
    if not cards:
        body = _empty("Graveyard", "tomb", 0, 0, is_small=is_small)
        key = ""
    else:
        top = cards[-1]
        body = _draw_top_of_graveyard(ctx, top, len(cards), is_small=is_small)
        key = ctx.keys[seat, "graveyard", len(cards) - 1]
        label += f", on top {top.card} {top.attack}/{top.defence}"
    return ctx.scene.part(
        part("graveyard", seat),
        body,
        _ring(*_size(is_small=is_small)),
        label=label,
        key=key,
        about=about_graveyard(cards),
        at=(x, y),
    )


def _draw_top_of_graveyard(
    ctx: PictureContext, top: CardInstance, count: int, *, is_small: bool
) -> str:
    face = face_of_held(top, ctx.cards)
    if face is None:
        return ""
    card = replace(show_held_card(face, ctx.cards[top.card]), dim=True)
    if not is_small:
        label = f"Graveyard: {plural(count, 'card')}"
        return draw_card(card) + text(
            WIDTH / 2, HEIGHT + 16, label, 12, WIDTH, "tt-number tt-text-muted", anchor="middle"
        )
    return (
        draw_small_card(card)
        + circle(SMALL_WIDTH - 10, 10, 9, "tt-ink")
        + centred_text(SMALL_WIDTH - 10, 14, str(count), 11, 14, "tt-number tt-text-paper", 0.4)
    )


def _size(*, is_small: bool) -> tuple[int, int]:
    return (SMALL_WIDTH, SMALL_HEIGHT) if is_small else (WIDTH, HEIGHT)


def _ring(width: float, height: float) -> str:
    return rect(-3, -3, width + 6, height + 6, "tt-ring", width / 11)


def _slot(x: float, y: float, width: float, height: float) -> str:
    """Draw the outline of an empty place for a card."""
    outline = rect(
        x, y, width, height, "tt-none tt-stroke-line", width / 14, stroke_dasharray="5 5"
    )
    return group(outline, opacity=0.45)


def _empty(words: str, sign: str, x: float, y: float, *, is_small: bool) -> str:
    """Draw an empty place with the name of its zone."""
    width, height = _size(is_small=is_small)
    side, size = width * 0.42, 11 if is_small else 13
    mark = move_and_scale(motif(sign, "ash", "ash"), (width - side) / 2, height * 0.26, side / 100)
    return group(
        _slot(0, 0, width, height),
        group(mark, opacity=0.35),
        text(width / 2, height * 0.72, words, size, width - 8, "tt-text-muted", anchor="middle"),
        at=(x, y),
    )


# Decks and hands.


def draw_deck(ctx: PictureContext, seat: Seat, x: float, y: float, width: float) -> str:
    """Draw a deck, and the number of cards left in it."""
    scene, cards = ctx.scene, ctx.view.sides[seat].deck
    height = width * 1.4
    pile = "".join(
        group(back(seat, scene.names[seat], width, height), at=(step * 2, -step * 2))
        for step in range(min(3, len(cards)))
    ) or rect(0, 0, width, height, "tt-none tt-stroke-cloth-deep", width / 14, stroke_width=2)
    own = seat == scene.seat
    body = (
        pile,
        text(width + 10, height / 2 - 1, str(len(cards)), 17, 40, "tt-number", bold=True),
        text(width + 10, height / 2 + 14, "deck", 12, 40, "tt-text-muted"),
    )
    label = f"{scene.names[seat]}'s deck, {plural(len(cards), 'card')}"
    return scene.part(
        part("deck", seat),
        rect(-4, -8, width + 48, height + 12, "tt-hit"),
        *body,
        rect(-4, -8, width + 48, height + 12, "tt-ring", 8),
        label=label,
        key=part("deck", seat),
        about=about_deck(cards, seen=own),
        at=(x, y),
    )


def draw_backs(
    ctx: PictureContext, seat: Seat, x: float, y: float, width: float, step: float
) -> str:
    """Draw a hidden hand, and the number of cards in it."""
    scene, count = ctx.scene, len(ctx.view.sides[seat].hand)
    height = width * 1.4
    if count > PLACES:
        step *= (PLACES - 1) / (count - 1)
    cards = (
        group(
            back(seat, scene.names[seat], width, height),
            at=(step * place, 0),
            data_key=f"{seat}/back/{place}",
        )
        for place in range(count)
    )
    end = step * max(0, count - 1) + (width if count else 0) + 8
    label = f"{scene.names[seat]}'s hand, {plural(count, 'card')}"
    return group(
        tag("title", escape(label)),
        *cards,
        text(end, height / 2 - 1, str(count), 17, 30, "tt-number", bold=True),
        text(end, height / 2 + 14, "hand", 12, 40, "tt-text-muted"),
        at=(x, y),
        role="img",
        aria_label=label,
    )


def draw_names(
    ctx: PictureContext, seat: Seat, x: float, y: float, width: float, height: float
) -> str:
    """Draw the hand at the top face up, for a viewer who sees all cards."""
    cards = ", ".join(card.card for card in ctx.view.sides[seat].hand) or "No cards in hand."
    label = f"{ctx.scene.names[seat]}'s hand: {cards}"
    return group(
        tag("title", escape(label)),
        rect(0, 0, width, height, "tt-card", 6),
        paragraph(5, 4, cards, 10, (width - 10, height - 7)),
        at=(x, y),
        role="img",
        aria_label=label,
    )


def draw_hand(ctx: PictureContext, places: list[tuple[float, float]], scale: float) -> str:
    """Draw the viewer's hand, each card at its place."""
    seat = ctx.below
    return "".join(
        _draw_held_card(ctx, seat, number, at, scale)
        for number, at in zip(range(len(ctx.view.sides[seat].hand)), places, strict=False)
    )


def _draw_held_card(
    ctx: PictureContext, seat: Seat, place: int, at: tuple[float, float], scale: float
) -> str:
    side = ctx.view.sides[seat]
    instance = side.hand[place]
    face = face_of_held(instance, ctx.cards)
    if face is None:
        return ""
    card = ctx.cards[instance.card]
    too_expensive = card.cost > side.magic and not ctx.view.testing
    drawn = draw_card(replace(show_held_card(face, card), too_expensive=too_expensive))
    label = name_of_face(face)
    if too_expensive:
        label += f", too expensive: you have {side.magic} magic"
    width, height = WIDTH * scale, HEIGHT * scale
    return ctx.scene.part(
        part("hand", place),
        move_and_scale(drawn, 0, 0, scale) if scale != 1 else drawn,
        _ring(width, height),
        label=label,
        key=ctx.keys[seat, "hand", place],
        about="\n".join(face.in_full()),
        at=at,
    )
