"""Carrying out actions: playing, using, attacking, ending a turn (Sorcery 2024 §1.2, §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sorcery.cards.card import CardType
from sorcery.cards.editions import Edition
from sorcery.cards.mechanics import EffectContext, TargetRef, When
from sorcery.cards.state import SorceryState
from sorcery.rules import events
from sorcery.rules.actions import (
    Action,
    Attack,
    Discard,
    DrawCard,
    EndTurn,
    Play,
    QuitGame,
    Use,
)
from sorcery.rules.engine import Engine
from sorcery.rules.legal import aim_at, legal_actions
from sorcery.rules.minion_stats import abilities_of, ability_cost
from tabletop import Seat, Table


def _name_target(engine: Engine, aim: TargetRef | None) -> tuple[str, Seat | None, int | None]:
    """Return a target for an event: its name, its owner, and its place if ambiguous."""
    if aim is None:
        return "", None, None
    if aim.minion is not None:
        return aim.minion.card, aim.seat, engine.ambiguous_place(aim.minion, aim.seat)
    ritual = engine.side(aim.seat).ritual
    return "" if ritual is None else ritual.card, aim.seat, None


def _play(engine: Engine, action: Play) -> None:
    state = engine.state
    seat = state.turn
    aim = None if action.player is None else aim_at(state, action.player, action.target)
    # The card leaves the hand before it takes effect, so that a minion can return to its place.
    played = state.sides[seat].hand.pop(action.card)
    state.idle = 0
    card = engine.edition.cards[played.card]
    if engine.table.watched:
        engine.table.emit(events.CardPlayed(seat, card.name, *_name_target(engine, aim)))
    if card.cost:
        engine.gain_magic(seat, -card.cost)
    kind = card.type
    if kind is CardType.MINION:
        engine.enter(seat, played, "hand")
    elif kind is CardType.RITUAL:
        engine.start_ritual(seat, card.name)
    elif kind is CardType.ENCHANTMENT:
        if aim is not None and aim.minion is not None:
            engine.enchant(aim.minion, card.name)
    elif card.effect is not None:
        engine.resolve(card.name, card.effect, EffectContext(engine, seat, aim=aim))
        engine.fire(When.SPELL, seat, None, card.effect, aim)


def _use(engine: Engine, action: Use) -> None:
    seat = engine.state.turn
    aim = aim_at(engine.state, action.player, action.target)
    place, number = action.ability
    minion = engine.state.sides[seat].minions[place]
    cards = engine.edition.cards
    ability = abilities_of(minion, cards)[number]
    if engine.table.watched:
        named = engine.ambiguous_place(minion, seat), *_name_target(engine, aim)
        engine.table.emit(events.AbilityUsed(seat, minion.card, ability.text, *named))
    cost = ability_cost(ability, minion, cards)
    if cost:
        engine.gain_magic(seat, -cost)
    minion.actions -= 1
    engine.resolve(minion.card, ability.effect, EffectContext(engine, seat, minion, aim))


def _attack(engine: Engine, action: Attack) -> None:
    """Carry out an attack (Sorcery 2024 §2.2).

    First the triggers of the attack are resolved. Then the attacker deals its damage, with all
    consequences. Then the defender strikes back, if the attacker is still there. The attack has no
    further effect if a trigger has removed or moved one of the two minions.
    """
    seat = engine.state.turn
    attacker = engine.state.sides[seat].minions[action.minion]
    target = None if action.target is None else engine.state.sides[1 - seat].minions[action.target]
    attacker.actions -= 1
    if engine.table.watched:
        place, other = engine.ambiguous_place(attacker, seat), 1 - seat
        name, target_place = "", None
        if target is not None:
            name, target_place = target.card, engine.ambiguous_place(target, other)
        engine.table.emit(events.AttackDeclared(seat, attacker.card, name, place, target_place))
    engine.fire(When.ATTACKS, seat, attacker)
    if not engine.is_running() or engine.seat_of(attacker) != seat:
        return
    engine.cause = attacker.card, seat
    if target is None:
        engine.gain_life(1 - seat, -max(0, attacker.attack))
    elif engine.seat_of(target) == 1 - seat:
        # Both values are read first, because the consequences of the blow may change them (§2.2).
        blow, answer = attacker.attack, target.attack
        engine.damage(target, blow)
        engine.cause = target.card, 1 - seat
        if engine.is_running():
            engine.damage(attacker, answer)


def _end_turn(engine: Engine, action: EndTurn) -> None:
    """End the turn and start the next one (Sorcery 2024 §1.2)."""
    state = engine.state
    seat = state.turn
    engine.fire(When.TURN_ENDS, seat)
    if state.over:
        return
    if engine.table.watched:
        engine.table.emit(events.TurnEnded(seat))
    state.idle += 1
    # Equal, not greater: a `patience` of 0 means no limit, and `idle` is at least 1 here.
    state.over = state.idle == state.patience
    if state.over:
        return
    state.turn = seat = 1 - seat
    engine.gain_magic(seat, engine.edition.magic_each_turn)
    engine.draw(seat)
    engine.ready(seat)
    engine.fire(When.TURN_STARTS, seat)
    if engine.table.watched and engine.is_running():
        engine.table.emit(events.TurnStarted(state.turn))


def _quit_game(engine: Engine, action: QuitGame) -> None:
    engine.state.over = engine.state.quit = True
    engine.table.emit(events.GameQuit(engine.state.turn))


MOVES: Final[Mapping[type[Any], Callable[[Engine, Any], None]]] = {
    Play: _play,
    Use: _use,
    Attack: _attack,
    EndTurn: _end_turn,
    QuitGame: _quit_game,
    DrawCard: lambda engine, action: engine.draw(engine.state.turn),
    Discard: lambda engine, action: engine.discard(engine.state.turn, action.card),
}


def carry_out(state: SorceryState, action: Action, table: Table, edition: Edition) -> None:
    """Carry out a legal action.

    Raises:
        ActionAborted: The action cannot be completed.
    """
    engine = Engine(state, table, edition)
    MOVES[type(action)](engine, action)
    if engine.edition.has_custom_classes and not state.over:
        # Custom classes may raise here. If they do, the match undoes this action.
        legal_actions(state, edition)
