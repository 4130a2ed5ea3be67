"""An auction with free bids: tabletop play examples/flotsam.py --bot 2=trader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tabletop import (
    ALL,
    NOBODY,
    Command,
    Commands,
    Event,
    Integer,
    Match,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    Spelled,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.parts.cards import deck_of, fill, take
from tabletop.parts.dice import dice
from tabletop.parts.money import Auction, gain, pay
from tabletop.rules import clockwise, from_seat
from tabletop.states import BAG, PER_SEAT, Fields, Length, OneOf, Range

GOODS = ("amber", "pearls", "rum", "silk")
DECK = deck_of(dict.fromkeys(GOODS, 5))
COIN, OPEN, SET, PRICE = "coins", 3, 10, dice("2d6+1")
GAINED = 0.6  # share of the value of a lot that its buyer gains, with two players
COINS = Option("coins", default=40, low=1, high=1000, help="Coins of each player at the start.")
COINS_OWNED = Range(0, lambda match: max(PRICE.highest, match.seats * match.options["coins"]))
Coins = Annotated[int, COINS_OWNED]
Good = Annotated[str, OneOf(GOODS)]
Bids = Annotated[Auction, Fields(highest=COINS_OWNED)]


@dataclass(frozen=True, slots=True)
class Act(Spelled):
    """Offer the lot at a place in the row, bid an amount of coins, or pass."""

    verb: str
    number: int | None = None


PLACE, AMOUNT = Integer("place", 1, OPEN, field="number"), Integer("coins", 1, 9999, field="number")
COMMANDS = Commands(
    Command("offer", Act, PLACE, help="Put an open lot up for auction."),
    Command("bid", Act, AMOUNT, help="Bid more than the highest bid."),
    Command("pass", Act, help="Stay out of the rest of this auction."),
)


@event
class Sold(Event):
    """A seat buys a lot, and pays the price to the seller, or to the bank if it is the seller."""

    seat: Seat
    lot: str
    coins: int


@state
class Beach(State):
    """The lots in the deck, in the row and on sale, the prices of goods, and the purses."""

    deck: Annotated[list[Good], Length(len(DECK)), BAG] = secret(to=NOBODY, back="?")
    row: Annotated[list[Good], Length(OPEN)]
    prices: dict[Good, Coins]
    purses: Annotated[list[dict[Annotated[str, OneOf((COIN, *GOODS))], Coins]], PER_SEAT]
    seller: Seat = 0
    lot: Good | None = None
    auction: Bids = Auction(())


class Flotsam(SecretGame[Beach, Act]):
    """The richest player wins."""

    name = "flotsam"
    title = "Flotsam"
    seats = range(2, 6)
    options = (COINS,)
    commands = COMMANDS
    lists_every_action = False

    def setup(self, options: Options, seats: int, rng: Streams) -> Beach:
        deck, row = rng["deck"].sample(DECK, len(DECK)), list[str]()
        fill(row, deck, OPEN)
        prices = {good: PRICE.roll(rng["prices"]) for good in GOODS}
        return Beach(deck, row, prices, [{COIN: COINS.of(options)} for _ in range(seats)])

    def to_act(self, state: Beach) -> Sequence[Seat]:
        if state.lot is not None:
            return state.auction.to_act
        return (state.seller,) if state.row else ()

    def legal_actions(self, state: Beach, seat: Seat) -> Sequence[Act]:
        """Return some of the legal bids: slightly higher, much higher, and all coins."""
        if state.lot is None:
            return [Act("offer", place) for place in range(1, len(state.row) + 1)]
        coins, highest = state.purses[seat][COIN], state.auction.highest
        bids = sorted({min(highest + more, coins) for more in (1, 2, 5, 10, coins)})
        return [Act("pass"), *(Act("bid", amount) for amount in state.auction.bids(bids))]

    def all_actions(self, options: Options, seats: int) -> Sequence[Act]:
        bids = [Act("bid", amount + 1) for amount in range(seats * COINS.of(options))]
        return [*(Act("offer", place) for place in range(1, OPEN + 1)), *bids, Act("pass")]

    def check(self, state: Beach, action: Act) -> None:
        """Accept any higher bid that the bidder can pay. All other legal actions are listed."""
        bid = action.number or 0
        if action.verb != "bid" or state.lot is None or bid <= state.auction.highest:
            super().check(state, action)
        elif bid > state.purses[state.auction.seats[0]][COIN]:
            raise self.refusal(state, action)

    def why_not(self, state: Beach, action: Act) -> str:
        number = action.number or 0
        if (action.verb == "offer") != (state.lot is None):
            return "offer a lot first, then bid for it"
        if action.verb == "offer":
            return f"there is no lot {number}; the row has {len(state.row)}"
        if number <= state.auction.highest:
            return f"bid more than {state.auction.highest}"
        return f"you do not have {number} coins"

    def apply(self, state: Beach, action: Act, table: Table) -> None:
        number = action.number or 0
        if action.verb == "offer":
            state.lot = take(state.row, number - 1, state.deck)
            state.auction = Auction(from_seat(state.seller + 1, len(state.purses)))
        elif action.verb == "bid":
            state.auction = state.auction.bid(number)
        else:
            state.auction = state.auction.drop()
        if state.lot is not None and state.auction.over:
            sell(state, state.lot, table)

    def outcome(self, state: Beach) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score([worth(state, seat) for seat in range(len(state.purses))])


def sell(state: Beach, lot: str, table: Table) -> None:
    """Give the lot to the highest bidder, or to the seller for free, and end the turn."""
    buyer = state.seller if state.auction.leader is None else state.auction.leader
    price = {COIN: state.auction.highest}
    pay(state.purses[buyer], price, None if buyer == state.seller else state.purses[state.seller])
    gain(state.purses[buyer], {lot: 1})
    table.emit(Sold(buyer, lot, state.auction.highest))
    state.lot, state.auction = None, Auction(())
    state.seller = clockwise(state.seller, len(state.purses))


def worth(state: Beach, seat: Seat, *more: str) -> int:
    """Return the wealth of a seat with some additional lots: coins, prices of lots, and sets."""
    purse = state.purses[seat]
    lots = {good: purse.get(good, 0) + more.count(good) for good in GOODS}
    values = sum([lots[good] * price for good, price in state.prices.items()])
    return purse[COIN] + values + SET * min(lots.values())


def evaluate(state: Beach, seat: Seat) -> float:
    """Rate the lead over the richest other seat.

    With two players, coins are rated by the lots that they will buy.
    """
    if state.lot is not None:
        state = state.clone()
        sell(state, str(state.lot), Table(Streams("nobody draws")))
    left = sum([state.prices[lot] for lot in (*state.row, *state.deck)])
    coins = [purse[COIN] for purse in state.purses]
    # With two players, one pays the other, so lots are cheap, and a bot that rates coins at face
    # value spends them at once. With more players, bids rise to the value of the lots.
    each = GAINED * left / max(1, sum(coins)) if len(coins) == 2 else 0
    riches = [worth(state, other) + each * own for other, own in enumerate(coins)]
    lead = riches.pop(seat) - max(riches)
    return 0.5 + lead / (2 * (abs(lead) + 40))


def policy(state: Beach, actions: Sequence[Act]) -> Sequence[Act]:
    """Leave out bids that are higher than the value of the lot for the bidder."""
    if state.lot is None:
        return actions
    seat = state.auction.seats[0]
    most = worth(state, seat, state.lot) - worth(state, seat)
    return [action for action in actions if action.number is None or action.number <= most]


VERBS = {
    "offer": "offers lot {}",
    "bid": "bids {}",
    "pass": "passes",
    "Sold": "gets {lot} for {coins}",
}


class FlotsamText(TextView[Beach]):
    """The prices, the purses, the row, and the lot on sale."""

    verbs = VERBS

    def position(self, view: Beach, names: Sequence[str], seat: Watcher = ALL) -> str:
        lines = [f"worth: {spelled(view.prices)}; {len(view.deck)} lots in the deck"]
        lines += [f"{name}: {spelled(view.purses[it])}" for it, name in enumerate(names)]
        lines += [f"open: {', '.join(f'{n} {lot}' for n, lot in enumerate(view.row, 1)) or '-'}"]
        if view.lot is not None:
            leader = view.auction.leader
            bid = "no bid" if leader is None else f"{view.auction.highest} by {names[leader]}"
            lines.append(f"for sale: {view.lot} of {names[view.seller]}, {bid}")
        return "\n".join(lines)


def spelled(purse: dict[str, int]) -> str:
    return ", ".join(f"{purse[it]} {it}" for it in (COIN, *GOODS) if it in purse)


class Trader:
    """Raises by a little while the lot is worth it, and sometimes by more."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Beach, actions: Sequence[Act]) -> Act:
        if view.lot is None:
            return self.stream.choice(actions)
        seat = view.auction.seats[0]
        most = worth(view, seat, view.lot) - worth(view, seat) - self.stream.roll(3)
        most //= 2 if seat == view.seller else 1  # a seller prefers to be paid
        bids = [bid for bid in actions if bid.number is not None and bid.number <= most]
        return self.stream.choice([*bids[:2], *bids[:1]]) if bids else actions[0]


GAME = Flotsam()
PLUGIN = Plugin(
    GAME,
    text=FlotsamText(),
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Bid for cargo whose value the dice decide.",
    minutes=20,
    bots={"trader": Trader},
    evaluate=evaluate,
    policy=policy,
    search={"exploration": 0.03},
    levels={"easy": "search:2", "fair": "search:60", "hard": "search:10000"},
)


def main() -> None:
    bots = [Trader(Streams("flotsam")[seat]) for seat in range(3)]
    match = Match(GAME, seed="old oak", seats=("Ann", "Bo", "Cid"), players=bots)
    match.observe(lambda event: print(PLUGIN.text.event(event, match.names)), seat=None)
    match.run()
    print(PLUGIN.text.position(match.view(None), match.names))


if __name__ == "__main__":
    main()
