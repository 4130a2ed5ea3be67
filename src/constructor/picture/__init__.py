"""The picture of Constructor: the board in the middle, builders, dice and the own hand around it."""

from constructor.picture.table_picture import ConstructorPicture

__all__ = ["ConstructorPicture"]
