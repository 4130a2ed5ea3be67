"""Secrets that are declared once: `SecretGame` makes views, masked events and redeals of them.

Who sees a field is said with `tabletop.fields.secret`; `Known` is what seats have been shown. How
it goes together is told in `docs/guide/secrets.md`.
"""

from tabletop.secrets.game import SecretGame
from tabletop.secrets.known import Known, Shown

__all__ = ["Known", "SecretGame", "Shown"]
