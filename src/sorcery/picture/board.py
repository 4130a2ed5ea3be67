"""The parts of a table's picture: players, minions, rituals, graveyards, decks and hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from sorcery.cards.card import Card, plain
from sorcery.cards.editions import Edition
from sorcery.cards.state import HIDDEN, PLACES, CardInstance, Minion, SorceryState
from sorcery.picture.cards import (
    HEART,
    HEIGHT,
    LEADING,
    MOST_ABILITIES,
    WIDTH,
    Shown,
    back,
    centred_text,
    coin,
    draw_card,
    draw_small_card,
    in_two_lines,
    move_and_scale,
    show_held_card,
)
from sorcery.picture.clicks import DISCARD, END, part
from sorcery.picture.labels import (
    about_deck,
    about_graveyard,
    about_minion,
    name_of_face,
    name_of_minion,
    note_of,
    ribbons_of,
)
from sorcery.rules.minion_stats import is_silenced
from sorcery.text.card_faces import face_of_held, face_of_minion, face_of_ritual
from sorcery.text.text_view import SorceryText, sentence
from tabletop import ALL, Seat
from tabletop.display import (
    LEAST,
    Box,
    Column,
    Flow,
    Grid,
    Image,
    Label,
    Panel,
    Part,
    Row,
    Scene,
    Stack,
    button,
    circle,
    group,
    mark,
    measure,
    motif,
    path,
    polygon,
    rect,
    tag_title,
)
from tabletop.wording import plural


@dataclass(frozen=True)
class PictureContext:
    """The view to draw and its viewer."""

    view: SorceryState
    scene: Scene
    edition: Edition

    @property
    def cards(self) -> Mapping[str, Card]:
        """The cards of the edition."""
        return self.edition.cards

    @property
    def is_wide(self) -> bool:
        """Whether the screen is larger than a phone's."""
        return not (self.scene.narrow or self.scene.short)

    @property
    def pad(self) -> int:
        """The margin of the table and of each mat."""
        return 8 if self.is_wide else 3

    @property
    def below(self) -> Seat:
        """Seat at the bottom: the viewer's seat, or else player 2, as on the text board."""
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

        Cards with the same name are counted first in the graveyard, then on the board, and then in
        the hand. A card therefore keeps its key when it is played or dies.
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


def draw_player(ctx: PictureContext, seat: Seat) -> Box:
    """Draw a player with name, life and magic. The active player has a mark on the left."""
    side, scene = ctx.view.sides[seat], ctx.scene
    name, active = scene.names[seat], ctx.is_active(seat)
    heart = path(HEART, fill="#c23b32", stroke="#7d1f2b", stroke_width=1)
    crystal = move_and_scale(motif("crystal", "violet"), -12, -12, 0.24)
    label = f"{name}: {side.life} life, {side.magic} magic"
    if active:
        label += ", it is their turn" if seat != scene.seat else ", it is your turn"
    named = Label(name, 14 if scene.short else 17, bold=True, weight=1)
    counts = Row(
        *_count(ctx, heart, side.life), *_count(ctx, crystal, side.magic), gap=3, anchor="start"
    )
    body: Box = Column(named, counts, width=0, weight=1)
    if not scene.short:
        body = Row(Box(None, 3), mark(seat, 14), body, gap=6)
    return Part(
        scene,
        part("player", seat),
        Stack(
            Panel("tt-card", 10),
            Box(partial(_draw_pointer, ctx) if active else None),
            body,
            pad=(9, 2) if scene.short else 4,
            height=44 if scene.short else 48,
        ),
        radius=10,
        label=label,
        key=part("player", seat),
        about=f"{len(side.hand)} in hand, {len(side.deck)} in the deck,"
        f" {len(side.graveyard)} in the graveyard",
    )


def _draw_pointer(ctx: PictureContext, width: float, height: float) -> str:
    """Mark the active player. A short picture has no room for a pointer next to the mark."""
    if ctx.scene.short:
        return rect(0, 0, 7, height, "tt-accent", 3)
    middle = height / 2
    pointer = [(-8, middle - 8), (-1, middle), (-8, middle + 8)]
    return rect(0, 0, 7, height, "tt-accent", 3) + polygon(pointer, "tt-accent")


def _count(ctx: PictureContext, sign: str, number: int) -> list[Box]:
    size, room = (15, 22) if ctx.scene.short else (19, 38)
    label = Label(str(number), size, "tt-number", bold=True)
    return [Image(sign, 1.25 * size, 1.25 * size, centred=True), Stack(label, width=room)]


def draw_centre(ctx: PictureContext) -> Box:
    """Draw the line between the two sides: the active player or outcome, and recent events."""
    recent = Box(partial(_draw_recent_events, ctx), weight=2)
    turn = Label(_name_turn(ctx), 14, bold=True, weight=1 if ctx.scene.outcome is None else 4)
    # On a wide screen, the line begins beside the names of the players.
    pad = 4 if ctx.scene.narrow else SIDE + GAP
    return Stack(Row(turn, *[recent] * bool(ctx.scene.recent)), height=24, pad=(pad, 0))


def _draw_recent_events(ctx: PictureContext, width: float, height: float) -> str:
    words = _recent_events(ctx, width)
    label = Label(words, 13, "tt-text-muted", anchor="end")
    return label.place(0, 0, width, height) if words else ""


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
    """Return as many sentences about the latest events as fit into `room`."""
    sentences = (sentence(event, ctx.scene.names, fully=True) for event in ctx.scene.recent)
    result = ""
    for words in filter(None, sentences):
        longer = f"{result} {words}".strip()
        if result and measure(longer, 13) > room:
            break
        result = longer
    return result


def draw_buttons(ctx: PictureContext) -> list[Box]:
    """Return the buttons of the viewer."""
    names = {END: "End turn"}
    if ctx.view.testing:
        names = {DISCARD: "Discard"} | names
    return [button(ctx.scene, name, words, weight=1) for name, words in names.items()]


BACK_WIDTH: Final = 30
BACK_HEIGHT: Final = 42
HAND_GAP: Final = 12

TURNED: Final = 3.5  # angle in degrees of a minion that cannot act now

RIBBON_GAP: Final = 4

CHIPS: Final = (26, 44, 40)
"""Height of an ability's button on a wide screen, on a phone, and on a small phone."""

SIDE: Final = 184  # width of the column with a player's name, deck and buttons on a wide screen
SIDE_IN_LANDSCAPE: Final = 122  # width of that column on a phone in landscape orientation
GAP: Final = 9  # distance between the columns of a side on a wide screen


RIBBON: Final = 15.5  # height of the ribbon of an enchantment

CARDS: Final[Mapping[tuple[bool, bool], tuple[float, float]]] = {
    (False, False): (86, 124),
    (False, True): (49, 84),
    (True, False): (70, 104),
    (True, True): (58, 64),
}
"""Size of a card on the table, by whether the screen is narrow and short."""

PILE: Final = (42, 46)  # size of a ritual or graveyard on a small phone


def _card(ctx: PictureContext, shown: Shown, size: tuple[float, float]) -> Image:
    """Return a card on the table: picture, name and numbers. Its texts are in the closer look."""
    return Image(draw_small_card(shown, *size, 13 if ctx.is_wide else LEAST), *size)


def _size(ctx: PictureContext) -> tuple[float, float]:
    return CARDS[ctx.scene.narrow, ctx.scene.short]


def _size_of_pile(ctx: PictureContext) -> tuple[float, float]:
    return PILE if ctx.scene.narrow and ctx.scene.short else _size(ctx)


def draw_minions(ctx: PictureContext, seat: Seat) -> Box:
    """Draw the minions and empty places of a seat on a mat."""
    width, height = _size(ctx)
    count = len(ctx.view.sides[seat].minions)
    places = [_minion(ctx, seat, place) for place in range(count)]
    places += [_slot(width, height)] * (ctx.edition.most_minions - count)
    # Two enchantments fit below a card on a wide screen, and more of them make the mat higher.
    room = Box(height=height + (RIBBON_GAP + 2 * RIBBON if ctx.is_wide else 0))
    line = Flow if ctx.scene.narrow else Row  # a phone has two rows for more than five minions
    gap = width / 10 if ctx.is_wide else 4
    row = line(*(Column(place, anchor="start") for place in places), gap=gap)
    mat = Panel("tt-cloth-deep", width / 9)
    return Stack(mat, Stack(room, row), pad=ctx.pad - 1, weight=1)


def _minion(ctx: PictureContext, seat: Seat, place: int) -> Box:
    """Return a minion, its enchantments and its abilities."""
    minion = ctx.view.sides[seat].minions[place]
    active = ctx.is_active(seat)
    shown = _show_minion(minion, ctx, active=active)
    size = _size(ctx)
    abilities = _abilities(ctx, shown, place) if ctx.scene.seat == seat else []
    if abilities and not ctx.is_wide:  # the buttons are in the place of the note
        shown = replace(shown, note="")
    ring = Panel("tt-ring", size[0] / 13)
    card, ribbons = _card(ctx, shown, size), _ribbons(minion, ctx)
    body: Box = Column(Stack(card, ring), Box(height=RIBBON_GAP), *ribbons)
    if not ctx.is_wide:  # on a phone, the ribbons cover the name of the card
        body = Stack(card, Column(*ribbons, Box(height=20), anchor="end"), ring)
    whole = Part(
        ctx.scene,
        part("minion", seat, place),
        body,
        radius=None,
        label=name_of_minion(minion, ctx.cards, active=active),
        key=ctx.keys[seat, "minion", place],
        about=about_minion(minion, ctx.cards),
        turn=TURNED if shown.dim else 0,
    )
    if not abilities:
        return whole
    # The buttons are on the picture of the card.
    top = 0.18 * size[1] if ctx.is_wide else 0
    buttons = Column(
        Box(height=top), Grid(*abilities, columns=len(abilities)), anchor="start", width=size[0]
    )
    return Stack(whole, buttons, pad=4 if ctx.is_wide else 0, width=size[0])


def _show_minion(minion: Minion, ctx: PictureContext, *, active: bool) -> Shown:
    cards = ctx.cards
    card = cards[minion.card]
    return Shown(
        face_of_minion(minion, cards),
        attack=minion.attack - card.attack,
        defence=minion.defence - card.defence,
        silenced=is_silenced(minion, cards),
        note=note_of(minion, cards, active=active),
        dim=active and not minion.actions,
    )


# Enchantments.


def _ribbons(minion: Minion, ctx: PictureContext) -> list[Box]:
    """Return the enchantments below a card, the newest at the top."""
    most = 3 if ctx.is_wide else 1 if ctx.scene.short else 2
    ribbons = ribbons_of(minion, ctx.cards)
    if len(ribbons) > most:
        hidden = len(ribbons) - most + 1
        silences = any(silence for _, silence in ribbons[most - 1 :])
        ribbons = [
            *ribbons[: most - 1],
            (f"and {hidden} more" if most > 1 else f"{hidden} effects", silences),
        ]
    boxes = list[Box]()
    for words, silences in ribbons:
        shape = Box(partial(_draw_ribbon, "#8c2230" if silences else "#5b3a8c"))
        looks = "tt-text-on-blue"
        lines: Sequence[str] = [words]
        if not ctx.is_wide:
            lines = in_two_lines(words, LEAST, _size(ctx)[0] - 8) or lines
        labels = (
            Label(line, 12.7 if ctx.is_wide else LEAST, looks, anchor="middle", bold=ctx.is_wide)
            for line in lines
        )
        height = RIBBON + (len(lines) - 1) * LEADING * LEAST
        boxes.append(Stack(shape, Column(*labels), pad=(4, 0), height=height))
    return boxes


def _draw_ribbon(fill: str, width: float, height: float) -> str:
    low = height - 1.5
    notch = low / 3
    right = [(width, 0.0), (width - notch, low / 2), (width, low)]
    return polygon([(0.0, 0.0), *right, (0.0, low), (notch, low / 2)], fill=fill)


# Clickable abilities.


def _abilities(ctx: PictureContext, shown: Shown, place: int) -> list[Box]:
    """Return the abilities of the viewer's own minion as separate parts."""
    name = ctx.view.sides[ctx.below].minions[place].card
    return [
        Part(
            ctx.scene,
            part("ability", place, number),
            _chip(ctx, shown, number),
            radius=6,
            label=f"Ability of {name}, {cost} magic: {plain(words)}",
            about="It also costs an action of the minion.",
        )
        for number, (cost, words) in enumerate(shown.face.abilities[:MOST_ABILITIES])
    ]


def _chip(ctx: PictureContext, shown: Shown, number: int) -> Box:
    abilities = shown.face.abilities[:MOST_ABILITIES]
    cost = Image(coin(0, 0, 10, str(abilities[number][0])), 20, 20, centred=True)
    words = [Label("Use", 13, bold=True)] if len(abilities) == 1 else []
    height = CHIPS[0 if ctx.is_wide else 1 + (ctx.scene.narrow and ctx.scene.short)]
    return Stack(Panel("tt-card", 7), Row(cost, *words, gap=4), height=height)


def draw_ritual(ctx: PictureContext, seat: Seat) -> Box:
    """Draw the ritual of a player, or an empty place."""
    ritual = ctx.view.sides[seat].ritual
    name = ctx.scene.names[seat]
    if ritual is None:
        return _beside_mat(ctx, _empty(ctx, "Ritual", "sigil"))
    face = face_of_ritual(ritual, ctx.cards)
    return _beside_mat(
        ctx,
        Part(
            ctx.scene,
            part("ritual", seat),
            _card(ctx, Shown(face), _size_of_pile(ctx)),
            label=f"{name}'s ritual: {ritual.card}, {plural(ritual.charges, 'charge')} left",
            key=ctx.keys[seat, "ritual", 0],
            about="\n".join(face.in_full()),
        ),
    )


def _beside_mat(ctx: PictureContext, box: Box) -> Box:
    """Return a box that is next to the minions, and at the same height, on a wide screen."""
    return Stack(Column(box, anchor="start"), pad=ctx.pad - 1 if ctx.is_wide else 0)


def draw_graveyard(ctx: PictureContext, seat: Seat) -> Box:
    """Draw the top card of a graveyard, and the number of cards."""
    cards = ctx.view.sides[seat].graveyard
    count = plural(len(cards), "card")
    label, key = f"{ctx.scene.names[seat]}'s graveyard, {count}", ""
    pile: Box = _empty(ctx, "Graveyard", "tomb")
    if cards:
        top = cards[-1]
        pile = _top_of_graveyard(ctx, top, len(cards))
        key = ctx.keys[seat, "graveyard", len(cards) - 1]
        label += f", on top {top.card} {top.attack}/{top.defence}"
    whole = Part(
        ctx.scene,
        part("graveyard", seat),
        pile,
        label=label,
        key=key,
        about=about_graveyard(cards),
    )
    return _beside_mat(ctx, whole)


def _top_of_graveyard(ctx: PictureContext, top: CardInstance, count: int) -> Box:
    face = face_of_held(top, ctx.cards)
    if face is None:
        return Box()
    if ctx.scene.narrow and ctx.scene.short:  # too narrow for both numbers
        face = replace(face, low_left=None, low_right=None)
    shown = replace(show_held_card(face, ctx.cards[top.card]), dim=True)
    card = _card(ctx, shown, _size_of_pile(ctx))
    number = centred_text(0, 4.5, str(count), 12.7, 17, "tt-number tt-text-paper", 0.4)
    badge = Image(circle(0, 0, 9, "tt-ink") + number, 18, 18, centred=True)
    corner = Column(Row(badge, anchor="end"), anchor="start")
    return Stack(card, corner, pad=1)


def _slot(width: float, height: float) -> Image:
    looks = "tt-none tt-stroke-line"
    outline = rect(0, 0, width, height, looks, width / 14, stroke_dasharray="5 5", opacity=0.45)
    return Image(outline, width, height)


def _empty(ctx: PictureContext, words: str, sign: str) -> Box:
    width, height = _size_of_pile(ctx)
    side = width * 0.42
    drawn = group(move_and_scale(motif(sign, "ash", "ash"), 0, 0, side / 100), opacity=0.35)
    name = Label(words, 13, "tt-text-muted", anchor="middle")
    names = [name] if name.width <= width else []
    return Stack(_slot(width, height), Column(Image(drawn, side, side), *names, gap=width / 9))


# Decks and hands.


def _number_of(count: int, zone: str) -> Box:
    number = Label(str(count), 17, "tt-number", bold=True)
    return Column(number, Label(zone, 12.7, "tt-text-muted"))


def _back(ctx: PictureContext, seat: Seat) -> str:
    return back(seat, ctx.scene.names[seat], BACK_WIDTH, BACK_HEIGHT)


def draw_deck(ctx: PictureContext, seat: Seat) -> Box:
    """Draw a deck, and the number of cards left in it."""
    scene, cards = ctx.scene, ctx.view.sides[seat].deck
    pile = "".join(
        group(_back(ctx, seat), at=(step * 2, -step * 2)) for step in range(min(3, len(cards)))
    )
    drawing = Image(pile, BACK_WIDTH, BACK_HEIGHT) if cards else _slot(BACK_WIDTH, BACK_HEIGHT)
    drawn = [] if scene.short else [drawing]
    return Part(
        scene,
        part("deck", seat),
        Stack(Row(*drawn, _number_of(len(cards), "deck"), gap=10), pad=3),
        label=f"{scene.names[seat]}'s deck, {plural(len(cards), 'card')}",
        key=part("deck", seat),
        about=about_deck(cards, seen=seat == scene.seat),
    )


def draw_hand_of_opponent(ctx: PictureContext, seat: Seat) -> Box:
    """Draw the hand at the top: card backs, or the names of visible cards."""
    hand = ctx.view.sides[seat].hand
    if ctx.sees_hand(seat):
        if seat == ctx.below:
            return Box(weight=1)
        names = ", ".join(card.card for card in hand) or "No cards in hand."
        lines = Box(partial(Label(names, 12.7, wrap=True).place, 0, 0), height=36)
        return Stack(Panel("tt-card", 6), lines, pad=4, weight=1)
    step = (16 if ctx.scene.narrow else 26) * (PLACES - 1) / max(PLACES - 1, len(hand) - 1)
    cards = (
        group(_back(ctx, seat), at=(step * place, 0), data_key=f"{seat}/back/{place}")
        for place in range(len(hand))
    )
    label = f"{ctx.scene.names[seat]}'s hand, {plural(len(hand), 'card')}"
    drawn = group(tag_title(label), *cards, role="img", aria_label=label)
    width = step * max(0, len(hand) - 1) + BACK_WIDTH
    backs = [] if ctx.scene.short else [Image(drawn, width, BACK_HEIGHT)]
    return Row(*backs, _number_of(len(hand), "hand"), gap=8, anchor="start", weight=1)


def draw_hand(ctx: PictureContext) -> Box:
    """Draw the hand at the bottom. A wide table has room for a full hand in one row."""
    seat = ctx.below
    if not ctx.sees_hand(seat):
        return Box()
    hand = ctx.view.sides[seat].hand
    cards = [_held_card(ctx, seat, place) for place in range(len(hand))]
    # An empty hand keeps its room during the game, so that the board does not move.
    height = 0 if ctx.view.over and not hand else _hand_height(ctx)
    if not ctx.is_wide:
        return Stack(Box(height=height), Row(*cards, gap=4))
    widest = ctx.edition.most_cards * (WIDTH * HAND_SCALE + HAND_GAP) - HAND_GAP
    return Stack(Box(None, widest, height), Row(*cards, gap=HAND_GAP))


HAND_SCALE: Final = 1.2
"""Scale of a card in the hand on a wide screen, where its texts are readable."""


def _hand_height(ctx: PictureContext) -> float:
    return HEIGHT * HAND_SCALE if ctx.is_wide else 100 if ctx.scene.short else 126


def _held_card(ctx: PictureContext, seat: Seat, place: int) -> Box:
    side = ctx.view.sides[seat]
    instance = side.hand[place]
    face = face_of_held(instance, ctx.cards)
    if face is None:
        return Box()
    card = ctx.cards[instance.card]
    too_expensive = card.cost > side.magic and not ctx.view.testing
    shown = replace(show_held_card(face, card), too_expensive=too_expensive)
    label = name_of_face(face)
    if too_expensive:
        label += f", too expensive: you have {side.magic} magic"
    height = _hand_height(ctx)
    if ctx.is_wide:
        width = WIDTH * HAND_SCALE
        drawn = move_and_scale(draw_card(shown), 0, 0, HAND_SCALE)
    else:
        width = min(WIDTH / HEIGHT * height, (ctx.scene.room[0] - 6) / len(side.hand) - 4)
        drawn = draw_small_card(shown, width, height)
    return Part(
        ctx.scene,
        part("hand", place),
        Image(drawn, width, height),
        radius=10,
        label=label,
        key=ctx.keys[seat, "hand", place],
        about="\n".join(face.in_full()),
    )
