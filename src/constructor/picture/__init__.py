"""The picture of Constructor: the board in the middle; builders, dice, the own hand around."""

from constructor.picture.table_picture import ConstructorPicture

__all__ = ["ConstructorPicture"]
