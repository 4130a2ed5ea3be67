"""Claims, challenges and blocks: tabletop play examples/harbour.py --bot 2=honest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from tabletop.parts.cards import BACK, Card, deal, deck_of, redraw
from tabletop.parts.flow import Todo, asked, call_off, passes, settle
from tabletop.rules import others
from tabletop.states import BAG, PER_SEAT, Fields, Length, OneOf, Range
from tabletop.wording import plural

ROLES = ("reeve", "knife", "smuggler", "guard")
DECK = deck_of(dict.fromkeys(ROLES, 4))
HIDDEN, RICH = "?", 10

ROLE = {"tax": "reeve", "rob": "smuggler", "stab": "knife"}  # who may do it
BLOCKERS = {"alms": ("reeve",), "rob": ("smuggler", "guard"), "stab": ("guard",)}
COST = {"stab": 3, "raid": 7}
EARNED = {"wage": 1, "alms": 2, "tax": 3}
AIMED = ("rob", "stab", "raid")
DEEDS = (*EARNED, *AIMED)

Role = Annotated[str, OneOf(ROLES)]
Cards = Annotated[list[Role], Length(2), BAG]
WORDS = Fields(
    what=OneOf((*DEEDS, "ask", "stop", "doubt", "block", "lose")), about=OneOf((*ROLES, *BLOCKERS))
)


@dataclass(frozen=True, slots=True)
class Act:
    """An act or answer of a seat; the player or the role that it names."""

    seat: Seat
    what: str
    target: Seat | None = None
    role: str | None = None

    def __str__(self) -> str:
        target = "" if self.target is None else f" {self.target + 1}"
        return f"{self.what}{target}{f' {self.role}' if self.role else ''}"


@state
class Harbour(State):
    """The cards in the deck, in hands and lost, the coins, and what is still to do in a turn."""

    deck: Annotated[list[Role], Length(len(DECK)), BAG] = secret(to=NOBODY, back=HIDDEN)
    hands: Annotated[list[Cards], PER_SEAT] = secret(to=OWNER, back=HIDDEN)
    lost: Annotated[list[Cards], PER_SEAT]
    coins: Annotated[list[Annotated[int, Range(0, 12)]], PER_SEAT]
    turn: Seat = 0
    todo: Annotated[list[Annotated[Todo, WORDS]], Length(6)] = field(default_factory=list)


class HarbourGame(SecretGame[Harbour, Act]):
    """The last one who holds a card wins."""

    name = "harbour"
    title = "Harbour"
    seats = range(2, 7)

    def setup(self, options: Options, seats: int, rng: Streams) -> Harbour:
        deck = rng["deck"].sample(DECK, len(DECK))
        return Harbour(deck, deal(deck, seats, 2), [[] for _ in range(seats)], [2] * seats)

    def to_act(self, state: Harbour) -> Sequence[Seat]:
        over = not others(state.turn, state.hands)
        return () if over else asked(state.todo, in_turn=True) or (state.turn,)

    def legal_actions(self, state: Harbour, seat: Seat) -> Sequence[Act]:
        if not state.todo:
            coins, rivals = state.coins[seat], others(seat, state.hands)
            names = [it for it in DEEDS if COST.get(it, 0) <= coins] if coins < RICH else ["raid"]
            aims = {name: rivals if name in AIMED else (None,) for name in names}
            return [Act(seat, name, target) for name in names for target in aims[name]]
        top = state.todo[-1]
        if top.what == "lose":
            return [Act(seat, "lose", role=role) for role in sorted(set(state.hands[seat]))]
        if top.what == "doubt":
            return [Act(seat, "pass"), Act(seat, "doubt")]
        blocks = [Act(seat, "block", role=role) for role in BLOCKERS[str(top.about)]]
        return [Act(seat, "pass"), *blocks]

    def all_actions(self, options: Options, seats: int) -> Sequence[Act]:
        every: list[Act] = []
        for seat in range(seats):
            every += [Act(seat, what) for what in (*EARNED, "pass", "doubt")]
            every += [Act(seat, what, it) for what in AIMED for it in range(seats) if it != seat]
            every += [Act(seat, "lose", role=role) for role in ROLES]
            every += [Act(seat, "block", role=role) for role in ("reeve", "smuggler", "guard")]
        return every

    def apply(self, state: Harbour, action: Act, table: Table) -> None:
        seat, todo = action.seat, state.todo
        if action.what in DEEDS:
            state.coins[seat] -= COST.get(action.what, 0)
            todo.append(Todo(action.what, seat, target=action.target))
            if action.what in BLOCKERS:
                todo.append(Todo("ask", seat, about=action.what, target=action.target))
            if action.what in ROLE:
                claim(state, seat, ROLE[action.what])
        elif action.what == "doubt":
            doubt(state, seat, table.rng["deck"])
        elif action.what == "block":
            todo[-1:] = [Todo("stop", seat)]
            claim(state, seat, action.role)
        else:
            passes(todo, seat)
        if action.what == "lose" and action.role is not None:
            state.hands[seat].remove(action.role)
            state.lost[seat].append(action.role)
        settle(todo, lambda done: do(state, done))
        if not todo:
            state.turn = (*others(state.turn, state.hands), state.turn)[0]

    def outcome(self, state: Harbour) -> Outcome | None:
        if self.to_act(state):
            return None
        last = next(seat for seat, hand in enumerate(state.hands) if hand)
        return Outcome.win(last, len(state.hands), "the last one in the harbour")


# --8<-- [start:claims]
def claim(state: Harbour, seat: Seat, role: str | None) -> None:
    """Claim to hold a role: the others are asked if they doubt it."""
    asks = others(seat, state.hands)
    state.todo.append(Todo("doubt", seat, asks, role))


def doubt(state: Harbour, doubter: Seat, rng: Stream) -> None:
    """Judge the claim on top: a lie is called off."""
    claimed = state.todo.pop()
    hand, role = state.hands[claimed.by], str(claimed.about)
    loser = doubter if role in hand else claimed.by
    if loser == doubter:
        redraw(hand, role, state.deck, rng)
    else:
        call_off(state.todo, loser)
    state.todo.append(Todo("lose", loser, (loser,)))


# --8<-- [end:claims]


def do(state: Harbour, done: Todo) -> None:
    """Carry out an act that nobody stops any more."""
    seat, target, coins, hands = done.by, done.target, state.coins, state.hands
    if done.what == "ask":
        asks = others(seat, hands) if target is None else (target,) * bool(hands[target])
        if asks:
            state.todo.append(Todo("block", seat, asks, done.about, target))
    elif done.what == "stop":
        state.todo.pop()
    elif done.what == "rob" and target is not None:
        taken = min(2, coins[target])
        coins[target] -= taken
        coins[seat] += taken
    elif target is not None:
        state.todo += [Todo("lose", target, (target,))] * bool(hands[target])
    else:
        coins[seat] += EARNED[done.what]


def evaluate(state: Harbour, seat: Seat) -> float:
    """Rate the lead over the best other seat; a card is worth a raid."""
    wealth = [7 * len(hand) + min(state.coins[it], RICH) for it, hand in enumerate(state.hands)]
    own = wealth.pop(seat)
    return max(0.0, min(1.0, 0.5 + (own - max(wealth)) / 30)) if state.hands[seat] else 0.0


# --8<-- [start:belief]
def belief(state: Harbour, seat: Seat) -> float:
    """Say how likely what others claim is, if they hold this."""
    weight = 1.0
    for it in state.todo:
        role = it.about if it.what == "doubt" else ROLE.get(it.what)
        if role is None or it.by == seat:
            continue
        weight /= 1 if role in state.hands[it.by] else 5
    return weight


# --8<-- [end:belief]


# --8<-- [start:picture]
ART = {"reeve": "crown", "knife": "blade", "smuggler": "lantern", "guard": "shield"}


def faces(roles: Sequence[str]) -> list[Face | Card]:
    return [Face(it, art=ART[it]) if it in ART else BACK for it in roles]


class HarbourPicture(CardTable[Harbour]):
    """The cards held and lost and the coins of each seat; and what is still to do."""

    buttons = AIMED

    def hands(self, view: Harbour) -> Sequence[Sequence[Face | Card]]:
        return [faces(hand) for hand in view.hands]

    def aim(self, action: Act) -> Seat | None:
        return action.target

    def piles(self, view: Harbour, seat: Watcher) -> Mapping[str, Sequence[Face | Card]]:
        return {f"lost by {it}": faces(lost) for it, lost in enumerate(view.lost, 1) if lost}

    def status(self, view: Harbour, seat: Seat) -> str:
        return plural(view.coins[seat], "coin")

    def note(self, view: Harbour, scene: Scene) -> str:
        waits = [f"{scene.names[it.by]}: {it.what} {it.about or ''}" for it in view.todo[::-1]]
        return "\n".join(["", *waits])


class HarbourText(CardText[Harbour]):
    """The same in words."""

    table = HarbourPicture()


# --8<-- [end:picture]
class Honest:
    """Says what is true, blocks now and then, and doubts one time in six."""

    def __init__(self, chance: Stream) -> None:
        self.chance = chance

    def choose(self, view: Harbour, actions: Sequence[Act]) -> Act:
        own = view.hands[actions[0].seat]
        if any(it.what == "doubt" for it in actions):
            return actions[self.chance.chance(1, 6)]
        true = [it for it in actions if (it.role or ROLE.get(it.what)) in {None, *own}]
        return self.chance.choice(true)


GAME = HarbourGame()
PLUGIN = Plugin(
    GAME,
    text=HarbourText(),
    picture=HarbourPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    bots={"honest": Honest},
    evaluate=evaluate,
    belief=belief,
    levels={"easy": "search:4", "hard": "search:5000"},
)


def main() -> None:
    bots = [Honest(Streams("harbour")[seat]) for seat in range(3)]
    match = Match(GAME, seed="old oak", seats=("Ann", "Bo", "Cid"), players=bots)
    match.observe(lambda told: print(PLUGIN.text.event(told, match.names, 0)), seat=0)
    match.run()


if __name__ == "__main__":
    main()
