"""Claims, challenges and blocks: tabletop play examples/harbour.py --bot 2=honest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from tabletop import (
    ALL,
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
from tabletop.display import TextView
from tabletop.parts.cards import deal, deck_of, draw
from tabletop.parts.flow import Todo, asked, passes, settle
from tabletop.rules import from_seat
from tabletop.states import BAG, PER_SEAT, Fields, Length, OneOf, Range

ROLES = ("reeve", "knife", "smuggler", "guard")
DECK = deck_of(dict.fromkeys(ROLES, 4))
BACK, RICH = "?", 10

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

    deck: Annotated[list[Role], Length(len(DECK)), BAG] = secret(to=NOBODY, back=BACK)
    hands: Annotated[list[Cards], PER_SEAT] = secret(to=OWNER, back=BACK)
    lost: Annotated[list[Cards], PER_SEAT]
    coins: Annotated[list[Annotated[int, Range(0, 12)]], PER_SEAT]
    turn: Seat = 0
    todo: Annotated[list[Annotated[Todo, WORDS]], Length(6)] = field(default_factory=list)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        return tuple(it for it in from_seat(seat, len(self.hands))[1:] if self.hands[it])


class HarbourGame(SecretGame[Harbour, Act]):
    """The last one who holds a card wins."""

    name = "harbour"
    title = "Harbour"
    seats = range(2, 7)

    def setup(self, options: Options, seats: int, rng: Streams) -> Harbour:
        deck = rng["deck"].sample(DECK, len(DECK))
        return Harbour(deck, deal(deck, seats, 2), [[] for _ in range(seats)], [2] * seats)

    def to_act(self, state: Harbour) -> Sequence[Seat]:
        over = not state.others(state.turn)
        return () if over else asked(state.todo, in_turn=True) or (state.turn,)

    def legal_actions(self, state: Harbour, seat: Seat) -> Sequence[Act]:
        if not state.todo:
            coins, others = state.coins[seat], state.others(seat)
            names = [it for it in DEEDS if COST.get(it, 0) <= coins] if coins < RICH else ["raid"]
            aims = {name: others if name in AIMED else (None,) for name in names}
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
            state.turn = state.others(state.turn)[0] if state.others(state.turn) else state.turn

    def outcome(self, state: Harbour) -> Outcome | None:
        if self.to_act(state):
            return None
        last = next(seat for seat, hand in enumerate(state.hands) if hand)
        return Outcome.win(last, len(state.hands), "the last one in the harbour")


# --8<-- [start:claims]
def claim(state: Harbour, seat: Seat, role: str | None) -> None:
    """Claim to hold a role: the others are asked if they doubt it."""
    state.todo.append(Todo("doubt", seat, state.others(seat), role))


def doubt(state: Harbour, doubter: Seat, rng: Stream) -> None:
    """Judge the claim on top: if it is false, its act is not done."""
    claimed = state.todo.pop()
    hand, role = state.hands[claimed.by], str(claimed.about)
    loser = doubter if role in hand else claimed.by
    if role in hand:
        hand.remove(role)
        state.deck.append(role)
        rng.shuffle(state.deck)
        hand += draw(state.deck)
    elif claimed.by == state.turn:
        state.todo.clear()
    else:
        state.todo.pop()  # the block
    state.todo.append(Todo("lose", loser, (loser,)))


# --8<-- [end:claims]


def do(state: Harbour, done: Todo) -> None:
    """Carry out an act that nobody stops any more."""
    seat, target, coins = done.by, done.target, state.coins
    if done.what == "ask":
        asks = state.others(seat) if target is None else (target,) * bool(state.hands[target])
        if asks:
            state.todo.append(Todo("block", seat, asks, done.about, target))
    elif done.what == "stop":
        state.todo.pop()
    elif done.what == "rob" and target is not None:
        taken = min(2, coins[target])
        coins[target] -= taken
        coins[seat] += taken
    elif target is not None:
        state.todo += [Todo("lose", target, (target,))] * bool(state.hands[target])
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


class HarbourText(TextView[Harbour]):
    """The cards held and lost and the coins of each seat; and what is still to do."""

    def position(self, view: Harbour, names: Sequence[str], seat: Watcher = ALL) -> str:
        lines = []
        for it, (name, hand) in enumerate(zip(names, view.hands, strict=True)):
            lost = f"; lost: {' '.join(view.lost[it])}" if view.lost[it] else ""
            lines.append(f"{name}: {view.coins[it]} coins, {' '.join(hand) or 'out'}{lost}")
        waits = [f"to do: {names[it.by]} {it.what} {it.about or ''}" for it in view.todo[::-1]]
        return "\n".join(lines + waits)


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
