"""Events of Constructor."""

from __future__ import annotations

from constructor.rules.state import Cost, Resource, Tile
from tabletop import Event, Seat, event


@event
class BasementChosen(Event):
    """A builder has chosen one of the first basements (Constructor §4.1)."""

    seat: Seat
    vertex: int


@event
class SetupEnded(Event):
    """All first basements have been placed (Constructor §4.1)."""


@event
class TurnBegan(Event):
    """A builder's turn begins (Constructor §4.2)."""

    seat: Seat


@event
class DiceChosen(Event):
    """A builder has switched to fair or loaded dice (Constructor §4.2)."""

    seat: Seat
    fair: bool


@event
class DiceRolled(Event):
    """A builder has rolled a total of 2 to 12.

    `dice` contains the two dice if they are fair, and is empty if they are loaded.
    """

    seat: Seat
    total: int
    dice: tuple[int, ...] = ()


@event
class ResourcesGained(Event):
    """A builder has gained the `amounts` of each kind from a roll (Constructor §3.5.5)."""

    seat: Seat
    amounts: Cost


@event
class NothingGained(Event):
    """No builder has gained resources from a roll (Constructor §3.5.5)."""


@event
class RoadBuilt(Event):
    """A road has been built and paid for (Constructor §2.6)."""

    seat: Seat
    edge: int


@event
class ResidenceBuilt(Event):
    """A residence has been paid for and built, or improved to `level` (§3.1, §3.2)."""

    seat: Seat
    vertex: int
    level: int


@event
class TileChanged(Event):
    """The products of tile `number` have changed to `tile` (Constructor §6, question 6)."""

    number: int
    tile: Tile


@event
class TradeOffered(Event):
    """A builder has offered a trade, which the builder `to` must answer (Constructor §3.5.4)."""

    seat: Seat
    to: Seat
    give: Resource
    take: Resource


@event
class TradeAnswered(Event):
    """An offered trade has been accepted or declined (Constructor §3.5.4)."""

    seat: Seat
    to: Seat
    give: Resource
    take: Resource
    accepted: bool


@event
class ResourcesLost(Event):
    """A builder has lost half of its resources to the geese, `amounts` of each kind (§3.6)."""

    seat: Seat
    amounts: Cost


@event
class GeesePlaced(Event):
    """The geese have been moved to a tile (Constructor §3.6)."""

    seat: Seat
    tile: int


@event
class VictimsFound(Event):
    """A builder can steal from `victims`, in seat order, which may be empty (Constructor §3.6)."""

    seat: Seat
    victims: tuple[Seat, ...]


@event
class ResourceStolen(Event):
    """A builder has stolen a resource from another (Constructor §3.6)."""

    seat: Seat
    victim: Seat
    kind: Resource


@event
class GameWon(Event):
    """A builder has reached enough building points to win (Constructor §4.4)."""

    seat: Seat
    points: int
