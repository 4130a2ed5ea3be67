"""The picture of a table: players, minions, rituals, piles and hands, and what can be clicked."""

from sorcery.picture.table_picture import SorceryPicture, sorcery_picture

__all__ = ["SorceryPicture", "sorcery_picture"]
