"""The diagram of a model as an SVG image, for pages that cannot show the live diagram; it contains no script."""

from __future__ import annotations

from collections.abc import Mapping, Set
from xml.sax.saxutils import escape, quoteattr

from core.kernel.texts import choose
from workflows.engine.layout import Box, Layout, Line

POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
"""Content-Security-Policy of a picture: whatever its texts are, they stay texts."""

_MARGIN = 40
_LINE_HEIGHT = 16
_SIGNS = {"exclusiveGateway": "×", "parallelGateway": "+", "inclusiveGateway": "○"}
_STYLE = """
text{font:13px system-ui,"Noto Sans CJK SC","Microsoft YaHei",sans-serif;fill:#1f1f1f}
.n{fill:#fff;stroke:#595959;stroke-width:1.5}.o{fill:#fafafa}.z{fill:none;stroke:#bfbfbf}
.done .n{fill:#f6ffed;stroke:#389e0d;stroke-width:2}.open .n{fill:#e6f4ff;stroke:#0958d9;stroke-width:3}
.back .n{fill:#fff7e6;stroke:#d46b08;stroke-width:2}
.f{fill:none;stroke:#595959;stroke-width:1.5}.f.done{stroke:#389e0d;stroke-width:2}
.g{font-size:26px}.e{stroke-width:4!important}.l{fill:#595959;font-size:12px}
"""


def svg(layout: Layout, title: str, *, done: Set[str] = frozenset(), flows: Set[str] = frozenset(),
        waits: Mapping[str, str] = {}, returned: Set[str] = frozenset()) -> str:  # only read  # fmt: skip
    """Return the image. `done` and `flows` are ids that were passed; `waits` has a text for each node that waits.

    `returned` are steps that were sent back and have not been done since.
    """
    xs = [x for box in layout.boxes for x in (box.x, box.x + box.width)]
    ys = [y for box in layout.boxes for y in (box.y, box.y + box.height)]
    points = [point for line in layout.lines for point in line.points]
    xs, ys = xs + [x for x, _ in points] or [0.0], ys + [y for _, y in points] or [0.0]
    left, top = min(xs) - _MARGIN, min(ys) - _MARGIN
    width, height = max(xs) - left + _MARGIN, max(ys) - top + _MARGIN + _LINE_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" role="img" aria-label={quoteattr(title)}>',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        '<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 1L9 5L0 9z" fill="#595959"/></marker></defs>',
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="#fff"/>',
    ]
    inner = {"laneSet", "lane", "participant", "subProcess", "group"}
    states = {**dict.fromkeys(done, "done"), **dict.fromkeys(returned, "back"), **dict.fromkeys(waits, "open")}
    parts += [_box(box, states, waits) for box in layout.boxes if box.kind in inner]
    parts += [_line(line, line.id in flows) for line in layout.lines]
    parts += [_box(box, states, waits) for box in layout.boxes if box.kind not in inner]
    return "".join([*parts, "</svg>"])


def _box(box: Box, states: Mapping[str, str], waits: Mapping[str, str]) -> str:
    state = states.get(box.id, "")
    x, y, width, height = box.x, box.y, box.width, box.height
    name = choose(box.name, box.name_en)
    middle = (x + width / 2, y + height / 2)
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    if box.kind.endswith("Event"):
        radius = min(width, height) / 2
        circle = f'cx="{middle[0]:.1f}" cy="{middle[1]:.1f}"'
        shape = f'<circle class="n{" e" if box.kind == "endEvent" else ""}" {circle} r="{radius:.1f}"/>'
        if box.kind in ("boundaryEvent", "intermediateCatchEvent", "intermediateThrowEvent"):
            shape += f'<circle class="n" {circle} r="{max(radius - 4, 1):.1f}"/>'
        text = _text(name, middle[0], y + height + _LINE_HEIGHT, 100, "l")
    elif box.kind.endswith("Gateway"):
        around = ((middle[0], y), (x + width, middle[1]), (middle[0], y + height), (x, middle[1]))
        corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in around)
        sign = escape(_SIGNS.get(box.kind, ""))
        shape = f'<polygon class="n" points="{corners}"/>'
        shape += f'<text class="g" x="{middle[0]:.1f}" y="{middle[1] + 9:.1f}" text-anchor="middle">{sign}</text>'
        text = _text(name, middle[0], y + height + _LINE_HEIGHT, 110, "l")
    elif box.kind in ("lane", "participant", "group", "textAnnotation"):
        shape = f'<rect class="z" {place}/>'
        text = _text(name, middle[0], y + _LINE_HEIGHT, width, "l")
    elif box.kind == "subProcess" and width > 120:
        shape = f'<rect class="n o" {place} rx="8"/>'
        text = _text(name, middle[0], y + _LINE_HEIGHT + 2, width, "l")
    else:
        shape = f'<rect class="n" {place} rx="8"/>'
        text = _text(name, middle[0], middle[1], width - 8, "", centred=True)
    hint = f"<title>{escape(waits[box.id])}</title>" if waits.get(box.id) else ""
    return f'<g class="{state}">{hint}{shape}{text}</g>'


def _line(line: Line, is_done: bool) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line.points)
    drawn = f'<polyline class="f{" done" if is_done else ""}" points="{points}" marker-end="url(#a)"/>'
    place = len(line.points) // 2
    (x1, y1), (x2, y2) = line.points[place - 1], line.points[place]
    return drawn + _text(choose(line.name, line.name_en), (x1 + x2) / 2, (y1 + y2) / 2 - 4, 110, "l")


def _text(text: str, x: float, y: float, width: float, kind: str, *, centred: bool = False) -> str:
    """Return a text, wrapped into lines, in the middle of a box."""
    if not text:
        return ""
    lines = _wrapped(text, width)
    top = y - (len(lines) - 1) * _LINE_HEIGHT / 2 + 4 if centred else y
    rows = "".join(
        f'<tspan x="{x:.1f}" y="{top + number * _LINE_HEIGHT:.1f}">{escape(row)}</tspan>'
        for number, row in enumerate(lines)
    )
    return f'<text class="{kind}" text-anchor="middle">{rows}</text>'


def _wrapped(text: str, width: float) -> list[str]:
    rows, row, used = [], "", 0.0
    for word in _words(text):
        size = sum(13.0 if ord(sign) > 0x2E80 else 7.0 for sign in word)
        if row and used + size > width:
            rows.append(row.strip())
            row, used = "", 0.0
        row, used = row + word, used + size
    rows = [*rows, row.strip()]
    return rows if len(rows) <= 4 else [*rows[:3], rows[3] + "…"]


def _words(text: str) -> list[str]:
    """Split a text where a line may break: after each word with the spaces behind it, and each Chinese character."""
    found, word = [], ""
    for sign in text:
        if not sign.isprintable():
            continue
        if ord(sign) > 0x2E80:
            found += [word, sign] if word else [sign]
            word = ""
        else:
            word += sign
            if sign == " ":
                found.append(word)
                word = ""
    return [*found, word] if word else found
