"""The picture of Constructor for browsers."""

from constructor.picture.table_picture import ConstructorPicture

__all__ = ["ConstructorPicture"]
