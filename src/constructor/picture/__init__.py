"""How Constructor looks; see `constructor.picture.picture`. Not imported by the rules."""

from constructor.picture.picture import ConstructorPicture

__all__ = ["ConstructorPicture"]
