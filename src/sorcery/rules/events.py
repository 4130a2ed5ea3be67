"""The events of a game of Sorcery. None of them tells a player a secret.

A field `place`, or `target_place`, says which of several minions of one name on the same board is
meant: where it stands, counted from 0 at the left. It is None where the name alone says that.
"""

from __future__ import annotations

from tabletop import Event, Seat, event


@event
class TurnStarted(Event):
    """A turn has begun: magic gained, a card drawn, and triggers of the turn's start resolved."""

    seat: Seat


@event
class TurnEnded(Event):
    """A turn is over, and the triggers of its end are resolved."""

    seat: Seat


@event
class CardDrawn(Event):
    """A player has drawn a card; the event does not say which, so everybody may see it."""

    seat: Seat


@event
class DrawSkipped(Event):
    """A player could not draw a card: the hand is full, or else the deck is empty."""

    seat: Seat
    hand_is_full: bool


@event
class CardDiscarded(Event):
    """A player has discarded a card: by an effect, or in testing mode (Sorcery 2024 §5.1.5)."""

    seat: Seat
    card: str


@event
class MagicChanged(Event):
    """A player's magic is `magic` now."""

    seat: Seat
    magic: int


@event
class LifeChanged(Event):
    """A player's life is `life` now, because of the card `by` of `by_seat`."""

    seat: Seat
    life: int
    by: str = ""
    by_seat: Seat | None = None


@event
class CardPlayed(Event):
    """A card has been played from a hand; its effects come next.

    What it was played at, if anything, is the minion or ritual `target` of `target_seat`.
    """

    seat: Seat
    card: str
    target: str = ""
    target_seat: Seat | None = None
    target_place: int | None = None


@event
class AbilityUsed(Event):
    """A minion has used an activated ability; its effects come next.

    What it was used at, if anything, is the minion or ritual `target` of `target_seat`.
    """

    seat: Seat
    minion: str
    text: str
    place: int | None = None
    target: str = ""
    target_seat: Seat | None = None
    target_place: int | None = None


@event
class Triggered(Event):
    """A triggered ability of a card happens now."""

    seat: Seat
    card: str
    place: int | None = None


@event
class MinionEntered(Event):
    """A minion has entered play on `seat`'s board.

    It comes from that player's "hand" or "graveyard", or from "nowhere" when it was summoned.
    """

    seat: Seat
    card: str
    origin: str
    place: int | None = None


@event
class MinionLeft(Event):
    """A minion has left play for its owner's `to`: "graveyard", "hand" or "deck".

    The enchantments on it, the oldest first, have been removed from the game. `place` is where it
    stood.
    """

    seat: Seat
    card: str
    to: str
    dropped: tuple[str, ...] = ()
    place: int | None = None


@event
class MinionTaken(Event):
    """A minion has changed sides: it is `seat`'s now. `place` is where it stood before."""

    seat: Seat
    card: str
    place: int | None = None


@event
class AttackDeclared(Event):
    """A minion attacks a minion, or the opponent when `target` is empty."""

    seat: Seat
    minion: str
    target: str = ""
    place: int | None = None
    target_place: int | None = None


@event
class MinionDamaged(Event):
    """A minion has taken damage from the card `by` of `by_seat`; `defence` is the rest."""

    seat: Seat
    card: str
    amount: int
    defence: int
    place: int | None = None
    by: str = ""
    by_seat: Seat | None = None


@event
class MinionGained(Event):
    """A minion has gained attack and defence."""

    seat: Seat
    card: str
    attack: int
    defence: int
    place: int | None = None


@event
class Enchanted(Event):
    """An enchantment has been put on a minion of `seat`."""

    seat: Seat
    card: str
    enchantment: str
    place: int | None = None


@event
class Disenchanted(Event):
    """An enchantment on a minion of `seat` has been destroyed."""

    seat: Seat
    card: str
    enchantment: str
    place: int | None = None


@event
class RitualStarted(Event):
    """A ritual has been put on the board of `seat`."""

    seat: Seat
    card: str


@event
class RitualEnded(Event):
    """A ritual has been removed from the game: replaced or destroyed."""

    seat: Seat
    card: str


@event
class ChargesChanged(Event):
    """A ritual of `seat` has `charges` left now."""

    seat: Seat
    card: str
    charges: int


@event
class GameQuit(Event):
    """A player has ended the game; nobody wins (Sorcery 2024 §5.1.3)."""

    seat: Seat
