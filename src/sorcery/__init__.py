"""Sorcery: a card game for two, in both editions of the course document that describes it.

`GAME` is Spring 2024, `GAME_2017` Spring 2017, and `TEXT` how they read. All that cards are written
with is imported from here. The program `sorcery` is
`sorcery.program.cli`. Sections are those of "CS246 Spring 2024 Project - Sorcery" (`Sorcery 2024 §2.2`) and
"CS 246 - Assignment 5, Spring 2017: Sorcery" (`Sorcery 2017 §6.5`).
"""

from sorcery.bots.evaluation import evaluate, policy
from sorcery.bots.players import BOTS, LEVELS, SEARCH, WEIGHTS
from sorcery.cards.amounts import (
    Amount,
    AtLeast,
    AttackOf,
    CardsInGraveyard,
    CardsInHand,
    Condition,
    Count,
    DefenceOf,
    LifeOf,
    MagicOf,
    Number,
    worked_out,
)
from sorcery.cards.card import Ability, Card, CardType, Target, enchantment, minion, ritual, spell
from sorcery.cards.editions import EDITIONS, SPRING_2017, SPRING_2024, Edition, EditionError
from sorcery.cards.effects import (
    Damage,
    Destroy,
    Disenchant,
    Draw,
    GainLife,
    GainMagic,
    HurtOpponent,
    If,
    OnMinions,
    OnPlayers,
    OnSome,
    PutUnderDeck,
    Recharge,
    RepeatSpell,
    Resurrect,
    ReturnToHand,
    ReturnToPlay,
    Strengthen,
    Summon,
    TakeControl,
    Together,
)
from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import (
    Effect,
    EffectContext,
    Kind,
    Need,
    PlayContext,
    TargetRef,
    Trigger,
    TriggerEvent,
    When,
    Whose,
)
from sorcery.cards.modifiers import (
    AbilityCost,
    CannotAttack,
    Change,
    ExtraActions,
    Modifier,
    Silenced,
    Stats,
)
from sorcery.cards.selectors import (
    ALL,
    BOTH_PLAYERS,
    ENEMIES,
    EVENT_MINION,
    FRIENDLY,
    OPPONENT,
    OTHERS,
    RANDOM_ENEMY,
    SELF,
    TARGET,
    YOU,
    Selector,
)
from sorcery.rules.actions import Attack, Discard, DrawCard, EndTurn, Play, QuitGame, Use
from sorcery.rules.game import Sorcery
from sorcery.rules.state import Minion, SorceryState
from sorcery.text.text_view import SorceryText, rules_file

GAME = Sorcery(SPRING_2024)
"""The game of Spring 2024."""

GAME_2017 = Sorcery(SPRING_2017)
"""The game of Spring 2017."""

TEXT = SorceryText.of
"""Makes the text of a game with any cards."""

RULES = rules_file
METRICS = "sorcery.bots.metrics:METRICS"
UI = "sorcery.program.ui:SorceryUI"
"""Where the board at a terminal, and its keys, are."""

PICTURE = "sorcery.picture:sorcery_picture"
"""Where the picture of a game with any cards is."""

__all__ = [
    "ALL",
    "BOTH_PLAYERS",
    "BOTS",
    "EDITIONS",
    "ENEMIES",
    "EVENT_MINION",
    "FRIENDLY",
    "GAME",
    "GAME_2017",
    "LEVELS",
    "OPPONENT",
    "OTHERS",
    "RANDOM_ENEMY",
    "RULES",
    "SEARCH",
    "SELF",
    "SPRING_2017",
    "SPRING_2024",
    "TARGET",
    "TEXT",
    "WEIGHTS",
    "YOU",
    "Ability",
    "AbilityCost",
    "Amount",
    "AtLeast",
    "Attack",
    "AttackOf",
    "CannotAttack",
    "Card",
    "CardType",
    "CardsError",
    "CardsInGraveyard",
    "CardsInHand",
    "Change",
    "Condition",
    "Count",
    "Damage",
    "DefenceOf",
    "Destroy",
    "Discard",
    "Disenchant",
    "Draw",
    "DrawCard",
    "Edition",
    "EditionError",
    "Effect",
    "EffectContext",
    "EndTurn",
    "ExtraActions",
    "GainLife",
    "GainMagic",
    "HurtOpponent",
    "If",
    "Kind",
    "LifeOf",
    "MagicOf",
    "Minion",
    "Modifier",
    "Need",
    "Number",
    "OnMinions",
    "OnPlayers",
    "OnSome",
    "Play",
    "PlayContext",
    "PutUnderDeck",
    "QuitGame",
    "Recharge",
    "RepeatSpell",
    "Resurrect",
    "ReturnToHand",
    "ReturnToPlay",
    "Selector",
    "Silenced",
    "Sorcery",
    "SorceryState",
    "Stats",
    "Strengthen",
    "Summon",
    "TakeControl",
    "Target",
    "TargetRef",
    "Together",
    "Trigger",
    "TriggerEvent",
    "Use",
    "When",
    "Whose",
    "enchantment",
    "evaluate",
    "minion",
    "policy",
    "ritual",
    "spell",
    "worked_out",
]
