"""The events of a match of Sorcery. They contain no secrets.

The fields `place` and `target_place` identify a minion if several minions on the same board have
the same name. They count from 0 at the left, and are None if the name is unambiguous.
"""

from __future__ import annotations

from tabletop import Event, Seat, event


@event
class TurnStarted(Event):
    """A turn has begun: magic was gained, a card drawn, and start-of-turn triggers resolved."""

    seat: Seat


@event
class TurnEnded(Event):
    """A turn has ended, and end-of-turn triggers were resolved."""

    seat: Seat


@event
class CardDrawn(Event):
    """A player has drawn a card.

    The event does not contain the card, so all players may see the event.
    """

    seat: Seat


@event
class DrawSkipped(Event):
    """A player could not draw a card because the hand is full or the deck is empty."""

    seat: Seat
    hand_is_full: bool


@event
class CardDiscarded(Event):
    """A player has discarded a card, by an effect or in testing mode (Sorcery 2024 §5.1.5)."""

    seat: Seat
    card: str


@event
class MagicChanged(Event):
    """A player's magic has changed to `magic`."""

    seat: Seat
    magic: int


@event
class LifeChanged(Event):
    """A player's life has changed to `life`, because of the card `by` of `by_seat`."""

    seat: Seat
    life: int
    by: str = ""
    by_seat: Seat | None = None


@event
class CardPlayed(Event):
    """A player has played a card from the hand. Its effects follow.

    The target, if any, is the minion or ritual `target` of `target_seat`.
    """

    seat: Seat
    card: str
    target: str = ""
    target_seat: Seat | None = None
    target_place: int | None = None


@event
class AbilityUsed(Event):
    """A minion has used an activated ability. Its effects follow.

    The target, if any, is the minion or ritual `target` of `target_seat`.
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
    """A triggered ability of a card is being resolved."""

    seat: Seat
    card: str
    place: int | None = None


@event
class MinionEntered(Event):
    """A minion has entered play on the board of `seat`.

    Its `origin` is "hand", "graveyard" or, if an effect created it, "nowhere".
    """

    seat: Seat
    card: str
    origin: str
    place: int | None = None


@event
class MinionLeft(Event):
    """A minion has left play. Its destination `to` is "graveyard", "hand" or "deck".

    The enchantments on it (`dropped`, the oldest first) are removed from the game. `place` is its
    former place.
    """

    seat: Seat
    card: str
    to: str
    dropped: tuple[str, ...] = ()
    place: int | None = None


@event
class MinionTaken(Event):
    """A minion has changed sides and now belongs to `seat`. `place` is its former place."""

    seat: Seat
    card: str
    place: int | None = None


@event
class AttackDeclared(Event):
    """A minion attacks another minion, or the opponent if `target` is empty."""

    seat: Seat
    minion: str
    target: str = ""
    place: int | None = None
    target_place: int | None = None


@event
class MinionDamaged(Event):
    """A minion has taken damage from the card `by` of `by_seat` and has `defence` left."""

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
    """A ritual has been removed from the game, because it was replaced or destroyed."""

    seat: Seat
    card: str


@event
class ChargesChanged(Event):
    """A ritual of `seat` now has `charges` left."""

    seat: Seat
    card: str
    charges: int


@event
class GameQuit(Event):
    """A player has ended the game without a winner (Sorcery 2024 §5.1.3)."""

    seat: Seat
