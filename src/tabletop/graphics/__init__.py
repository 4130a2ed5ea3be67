"""A window on the match beside the terminal: what the option `-graphics` of the programs does.

    add_graphics_option(parser)
    ...
    with opened_graphics(arguments.graphics) as graphics:
        console = Console(loop=graphics.loop)
        TerminalGame(plugin, players, console=console, beside=graphics.beside).play(...)

This joins the terminal and the browser front, which know nothing of each other. Text and picture
are two fronts of one session: either may be played on, and what one does the other shows.
"""

from tabletop.graphics.option import (
    Graphics,
    GraphicsMissing,
    add_graphics_option,
    opened_graphics,
)

__all__ = ["Graphics", "GraphicsMissing", "add_graphics_option", "opened_graphics"]
