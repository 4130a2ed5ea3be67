"""The picture of a table: its drawing and its clickable parts."""

from sorcery.picture.table_picture import SorceryPicture, sorcery_picture

__all__ = ["SorceryPicture", "sorcery_picture"]
