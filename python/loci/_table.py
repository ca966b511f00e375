# SPDX-License-Identifier: Apache-2.0
"""Small tables: aligned for a terminal, and in HTML for a notebook."""

import html
import unicodedata
from typing import Sequence

MOST_ROWS = 20
MOST_WIDTH = 60


def width(text: str) -> int:
    """Columns of a terminal that it takes.

    >>> width("dog"), width("犬"), width("e\\u0301")
    (3, 2, 1)
    """
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


def cell(text: str) -> str:
    """One line of at most MOST_WIDTH columns."""
    line = " ".join(text.split())
    if width(line) <= MOST_WIDTH:
        return line
    while width(line) >= MOST_WIDTH:
        line = line[:-1]
    return line + "…"


def text(header: Sequence[str], rows: Sequence[Sequence[str]], total: int) -> str:
    """rows: the first of total; the rest is told by its number.

    >>> print(text(["x", "y"], [["dog", "1"], ["a", "2"]], 3))
    x    y
    dog  1
    a    2
    ... 1 more
    """
    lines = [[cell(field) for field in row] for row in [header, *rows]]
    widths = [max(map(width, column)) for column in zip(*lines)]
    out = ["  ".join(field + " " * (most - width(field)) for field, most in zip(line, widths)).rstrip()
           for line in lines]
    if total > len(rows):
        out.append(f"... {total - len(rows):,} more")
    return "\n".join(out)


def as_html(header: Sequence[str], rows: Sequence[Sequence[str]], total: int) -> str:
    """
    >>> as_html(["x"], [["<a>"]], 1)
    '<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>&lt;a&gt;</td></tr></tbody></table>'
    """
    def line(tag: str, fields: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(field)}</{tag}>" for field in fields) + "</tr>"

    body = "".join(line("td", row) for row in rows)
    out = f"<table><thead>{line('th', header)}</thead><tbody>{body}</tbody></table>"
    return out + (f"<p>... {total - len(rows):,} more</p>" if total > len(rows) else "")
