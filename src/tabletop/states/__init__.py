"""States that copy themselves: `@state` makes a dataclass whose `clone` follows from its fields.

How a field is copied is told in `docs/guide/state.md`.
"""

from tabletop.states.declaring import state

__all__ = ["state"]
