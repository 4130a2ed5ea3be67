"""Draw learning curves from the output of an example, for `docs/how-to/learn-from-self-play.md`.

python examples/learn_values.py sorcery values.npz | python -m tools.learning_curves FILE.svg
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

WIDTH, HEIGHT, EDGE = 640, 300, 52
WINS: Final = re.compile(r"(?:(\d+) matches: )?.*wins (\d+) of (\d+)")


def shares(lines: Iterable[str]) -> list[tuple[str, float]]:
    """Return the number of training matches and the share of wins in each line."""
    matches = filter(None, map(WINS.search, lines))
    return [(match[1] or "", int(match[2]) / int(match[3])) for match in matches]


def drawn(baseline: float, points: list[tuple[str, float]]) -> str:
    """Draw the shares over the number of matches, with a dashed line at the baseline."""
    step = (WIDTH - 2 * EDGE) / max(1, len(points) - 1)
    right, bottom = WIDTH - EDGE, HEIGHT - EDGE

    def up(share: float) -> float:
        return round(bottom - share * (bottom - EDGE / 2), 1)

    def line(share: float, style: str) -> str:
        return f'<path d="M{EDGE} {up(share)}H{right}" {style}/>'

    def words(x: float, y: float, text: str, anchor: str = "middle") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'

    places = [(round(EDGE + step * at, 1), up(share)) for at, (_, share) in enumerate(points)]
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for fifth in range(6):
        parts.append(line(fifth / 5, 'stroke="#ddd"'))
        parts.append(words(EDGE - 8, up(fifth / 5) + 4, f"{fifth * 20} %", "end"))
    every = -(-len(points) // 10)
    for (x, _), (matches, _) in list(zip(places, points, strict=True))[::-every]:
        parts.append(words(x, bottom + 20, matches))
    parts.append(words(WIDTH / 2, HEIGHT - 10, "matches learnt from"))
    parts.append(line(baseline, 'stroke="#b33" stroke-width="2" stroke-dasharray="6 5"'))
    path = " ".join(f"{x},{y}" for x, y in places)
    parts.append(f'<polyline points="{path}" fill="none" stroke="#26c" stroke-width="3"/>')
    parts += [f'<circle cx="{x}" cy="{y}" r="4" fill="#26c"/>' for x, y in places]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return "\n".join([f'{head} font-family="sans-serif" font-size="12">', *parts, "</svg>\n"])


def main() -> None:
    """Read the output of the example, print it, and write the picture."""
    lines = []
    for line in sys.stdin:
        sys.stdout.write(line)
        lines.append(line)
    (_, baseline), *points = shares(lines)
    Path(sys.argv[1]).write_text(drawn(baseline, points), encoding="utf-8")


if __name__ == "__main__":
    main()
