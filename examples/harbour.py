"""Claims, challenges and blocks: tabletop play examples/harbour.py --bot 2=honest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated

from tabletop import (
    NOBODY,
    OWNER,
    Match,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    secret,
    state,
)
from tabletop.display import CardTable, CardText, Face, Scene
from tabletop.parts.cards import deal, deck_of
from tabletop.parts.claims import (
    Answer,
    ClaimAction,
    Claims,
    TakeAction,
    fits,
)
from tabletop.parts.flow import Pending
from tabletop.rules import others
from tabletop.states import BAG, PER_SEAT, Fields, Length, OneOf, Range
from tabletop.wording import plural

ROLES = ("reeve", "knife", "smuggler", "guard")
DECK = deck_of(dict.fromkeys(ROLES, 4))
HIDDEN, RICH = "?", 10

# --8<-- [start:actions]
ACTIONS = {
    "wage": ClaimAction(),
    "alms": ClaimAction(blocked_by=("reeve",)),
    "tax": ClaimAction("reeve"),
    "rob": ClaimAction(
        "smuggler",
        aimed=True,
        blocked_by=("smuggler", "guard"),
    ),
    "stab": ClaimAction(
        "knife",
        cost=3,
        aimed=True,
        blocked_by=("guard",),
    ),
    "raid": ClaimAction(cost=7, aimed=True),
}
CLAIMS = Claims(DECK, ACTIONS, in_turn=True)
# --8<-- [end:actions]
EARNED = {"wage": 1, "alms": 2, "tax": 3}
ABOUT = {
    "wage": "Take 1 coin.",
    "alms": "Take 2 coins. The reeve blocks this.",
    "tax": "Claim to be the reeve and take 3 coins.",
    "rob": "Claim to be the smuggler and take 2 coins from a player."
    " The smuggler and the guard block this.",
    "stab": "Claim to be the knife and pay 3 coins: a player loses a card. The guard blocks this.",
    "raid": "Pay 7 coins: a player loses a card. Nobody can block this.",
    "reeve": "Takes 3 coins as tax, and blocks alms.",
    "knife": "Stabs a player, who loses a card, for 3 coins.",
    "smuggler": "Robs a player of 2 coins, and blocks a robbery.",
    "guard": "Blocks a robbery and a stab.",
}
VERBS = {
    "wage": "takes a wage of 1 coin",
    "alms": "asks for alms of 2 coins",
    "tax": "claims to be the reeve to take 3 coins of tax",
    "rob": "claims to be the smuggler to rob {}",
    "stab": "claims to be the knife to stab {}",
    "raid": "raids {}",
    "pass": "passes",
    "doubt": "",  # the event `Challenged` describes the challenge
    "block": "claims to be the {} to block this",
    "lose": "loses the {}",
}

Role = Annotated[str, OneOf(ROLES)]
Cards = Annotated[list[Role], Length(2), BAG]
Hands = Annotated[list[Cards], PER_SEAT]
Said = Annotated[list[Annotated[list[Role], Length(len(ROLES)), BAG]], PER_SEAT]
WORDS = Fields(what=OneOf(CLAIMS.tasks), about=OneOf((*ROLES, *ACTIONS)))


@state
class Harbour(State):
    """The cards in the deck, in hands and lost, the coins, and the pending tasks."""

    deck: Annotated[list[Role], Length(len(DECK)), BAG] = secret(to=NOBODY, back=HIDDEN)
    hands: Hands = secret(to=OWNER, back=HIDDEN, fits=fits)
    lost: Hands
    claimed: Said
    caught: Said
    coins: Annotated[list[Annotated[int, Range(0, 12)]], PER_SEAT]
    turn: Seat = 0
    todo: Annotated[list[Annotated[Pending, WORDS]], Length(6)] = field(default_factory=list)


class HarbourGame(SecretGame[Harbour, TakeAction | Answer]):
    """The last player with a card wins."""

    name = "harbour"
    title = "Harbour"
    version = "2"  # in version 2, the state records false claims
    seats = range(2, 7)

    def setup(self, options: Options, seats: int, rng: Streams) -> Harbour:
        deck = rng["deck"].sample(DECK, len(DECK))

        def empty() -> list[list[str]]:
            return [[] for _ in range(seats)]

        hands, coins = deal(deck, seats, 2), [2] * seats
        return Harbour(deck, hands, empty(), empty(), empty(), coins)

    def to_act(self, state: Harbour) -> Sequence[Seat]:
        over = not others(state.turn, state.hands)
        return () if over else CLAIMS.awaiting(state) or (state.turn,)

    def legal_actions(self, state: Harbour, seat: Seat) -> Sequence[TakeAction | Answer]:
        if state.todo:
            return CLAIMS.answers(state, seat)
        coins = state.coins[seat]
        actions = CLAIMS.turn_actions(state, seat, coins)
        return [action for action in actions if coins < RICH or action.what == "raid"]

    def passing(self, state: Harbour, seat: Seat) -> TakeAction | Answer | None:
        return CLAIMS.passing(state, seat)

    def all_actions(self, options: Options, seats: int) -> Sequence[TakeAction | Answer]:
        return CLAIMS.all_actions(seats)

    def apply(self, state: Harbour, action: TakeAction | Answer, table: Table) -> None:
        state.coins[action.seat] -= CLAIMS.cost(action)
        CLAIMS.play(state, action, table, lambda task: do(state, task))
        if not state.todo:
            state.turn = (*others(state.turn, state.hands), state.turn)[0]

    def outcome(self, state: Harbour) -> Outcome | None:
        if self.to_act(state):
            return None
        last = next(seat for seat, hand in enumerate(state.hands) if hand)
        return Outcome.win(last, len(state.hands), "the last one in the harbour")


def do(state: Harbour, task: Pending) -> None:
    """Carry out an action that can no longer be stopped."""
    seat, target, coins = task.by, task.target, state.coins
    if target is None:
        coins[seat] += EARNED[task.what]
    elif task.what == "rob":
        taken = min(2, coins[target])
        coins[target] -= taken
        coins[seat] += taken
    else:
        CLAIMS.punish(state, target)


def evaluate(state: Harbour, seat: Seat) -> float:
    """Rate the lead over the best other seat. A card counts as much as a raid costs."""
    pairs = zip(state.hands, state.coins, strict=True)
    wealth = [7 * len(hand) + min(coins, RICH) for hand, coins in pairs]
    own = wealth.pop(seat)
    return max(0.0, min(1.0, 0.5 + (own - max(wealth)) / 30)) if state.hands[seat] else 0.0


# --8<-- [start:belief]
def belief(state: Harbour, seat: Seat) -> float:
    """Return how likely the claims of others are in this state."""
    weight = 1.0
    for task in state.todo:
        action = ACTIONS.get(task.what, ClaimAction())
        role = task.about if task.what == "doubt" else action.role
        hand = state.hands[task.by]
        if role and task.by != seat and role not in hand:
            weight /= 5
    return weight


# --8<-- [end:belief]


# --8<-- [start:picture]
ART = {"reeve": "crown", "knife": "blade", "smuggler": "lantern", "guard": "shield"}


class HarbourPicture(CardTable[Harbour]):
    """The cards and coins of each seat, and the pending tasks."""

    buttons = ACTIONS

    def face(self, card: str) -> Face:
        return Face(card, card.capitalize(), art=ART[card], about=ABOUT[card])

    def aim(self, action: TakeAction | Answer) -> Seat | None:
        return CLAIMS.aim(action)

    def piles(self, view: Harbour, seat: Watcher) -> Mapping[str, Sequence[Face]]:
        lost = {f"lost by {number}": roles for number, roles in enumerate(view.lost, 1) if roles}
        return {name: [*map(self.face, roles)] for name, roles in lost.items()}

    def title(self, pile: str, names: Sequence[str]) -> str:
        return f"{names[int(pile.rsplit(maxsplit=1)[-1]) - 1]}'s lost cards"

    def about(self, word: str) -> str:
        return ABOUT.get(word, "")

    def label(
        self, action: TakeAction | Answer, view: Harbour, names: Sequence[str], seat: Seat
    ) -> str:
        return CLAIMS.label(action, names)

    def status(self, view: Harbour, seat: Seat) -> str:
        return plural(view.coins[seat], "coin")

    def note(self, view: Harbour, scene: Scene) -> str:
        return "\n".join(["", *CLAIMS.describe_pending(view, scene.names)])


class HarbourText(CardText[Harbour]):
    """The contents of the picture as text."""

    table = HarbourPicture()
    verbs = VERBS

    def asked(self, view: Harbour, seat: Seat, names: Sequence[str]) -> str:
        return CLAIMS.question(view, names)


# --8<-- [end:picture]
class Honest:
    """Never lies, sometimes blocks, and challenges one claim in six."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Harbour, actions: Sequence[TakeAction | Answer]) -> TakeAction | Answer:
        if "doubt" in map(str, actions):
            return actions[self.stream.chance(1, 6)]
        return self.stream.choice(CLAIMS.honest(view, actions))


GAME = HarbourGame()
PLUGIN = Plugin(
    GAME,
    text=HarbourText(),
    picture=HarbourPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Bluff about your cards until only you have any left.",
    minutes=15,
    bots={"honest": Honest},
    evaluate=evaluate,
    belief=belief,
    levels={"easy": "search:4", "hard": "search:5000"},
)


def main() -> None:
    bots = [Honest(Streams("harbour")[seat]) for seat in range(3)]
    match = Match(GAME, seed="old oak", seats=("Ann", "Bo", "Cid"), players=bots)
    match.observe(lambda event: print(PLUGIN.text.event(event, match.names, 0)), seat=0)
    match.run()


if __name__ == "__main__":
    main()
