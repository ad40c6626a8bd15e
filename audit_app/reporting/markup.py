"""Markdown in which foreign text stays text: escaping, code spans, links, tables, fences.

Every text that did not come from this package goes through ``md``, ``code``, ``link`` or ``fence``.
Then no prompt, note or name can open a tag, a link, a heading, a formula or another table cell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from urllib.parse import quote

_LINE_BREAK = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""Readers of old Markdown take no backslash before these; an entity means the same to all."""
_ALWAYS = str.maketrans({c: f"\\{c}" for c in "\\`*_[]|$~^{}#"} | _ENTITIES)
_SOMEWHERE = re.compile(r":(?=\S)|(?<=www)\.", re.IGNORECASE)
_LINE_START = re.compile(r"^([-+=]|\d+(?=[.)](?:\s|$)))")
_REFERENCE = re.compile(r"@(?=\S)|\\#(?=\w)|\\:(?=//|[\w+-]+\\?:)|\bwww(?=\\\.)", re.IGNORECASE)
"""Where a tracker would make a link, a mention or an emoji of the finished text, escaped or not."""
_JOINER = "\u2060"
"""Invisible, and parts what would be found as one word."""
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_FROM_RIGHT = frozenset({"R", "AL", "AN"})
_ISOLATE = "\u2068{}\u2069"
"""Direction of its own for a text, so that it cannot move what stands around it."""
_JOINERS = "\u200c\u200d"
"""Invisible, yet part of the spelling of some scripts and of emoji."""

_URL_SAFE = "/:?#[]@!$&'()+,;=%~-._"


def visible(text: str) -> str:
    """The text with invisible characters (controls, direction marks) written as ⟨U+202E⟩."""
    if text.isprintable():  # then it has none, as nearly all texts
        return text
    return "".join(f"⟨U+{ord(c):04X}⟩" if _is_invisible(c) else c for c in text)


def visible_lines(text: str) -> str:
    """The same with its line breaks, each as a line feed."""
    return "\n".join(visible(line.replace("\t", "    ")) for line in _LINE_BREAK.split(text))


def _is_invisible(c: str) -> bool:
    return unicodedata.category(c) in _INVISIBLE and c not in _JOINERS


def isolated(text: str) -> str:
    """The text, with a direction of its own where it has letters that run from right to left."""
    if text.isascii():
        return text
    runs_left = any(unicodedata.bidirectional(c) in _FROM_RIGHT for c in text if c > "\u058f")
    return _ISOLATE.format(text) if runs_left else text


def md(text: str) -> str:
    """The text on one line, inert; line breaks become ``↵``."""
    return isolated(" ↵ ".join(_inert(line) for line in _lines(text)))


def md_block(text: str, indent: str = "") -> str:
    """The text as a block quote with its line breaks, inert."""
    lines = [isolated(_inert(line)) for line in _lines(text)]
    return "\\\n".join(f"{indent}> {line}" for line in lines if line)


def md_paragraphs(text: str) -> str:
    """The text with each of its lines a paragraph, inert."""
    return "\n\n".join(isolated(_inert(line)) for line in _lines(text) if line)


def _lines(text: str) -> list[str]:
    lines = [visible(line.replace("\t", " ")).strip() for line in _LINE_BREAK.split(text)]
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    while len(lines) > 1 and not lines[0]:
        lines.pop(0)
    return lines


def _inert(line: str) -> str:
    line = _SOMEWHERE.sub(_escape, line.translate(_ALWAYS))
    line = _REFERENCE.sub(rf"\g<0>{_JOINER}", line)
    return _LINE_START.sub(_escape_start, line)


def _escape(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def _escape_start(match: re.Match[str]) -> str:
    """A sign that would open a list or underline a heading; of ``1.`` it is the dot."""
    sign = match[1]
    return f"{sign}\\" if sign[0].isdigit() else f"\\{sign}"


def code(text: str, *, in_table: bool = False) -> str:
    """The text as a code span; as inert text where no code span can hold it everywhere.

    Some readers look for tags before they look for code. Inside a table a pipe must be escaped even
    in code, and readers differ on what a backslash before it then means.
    """
    flat = visible(" ↵ ".join(_LINE_BREAK.split(text)).replace("\t", " "))
    if not flat.strip() or "<" in flat or (in_table and "|" in flat and "\\" in flat):
        return md(text) or "(empty)"
    runs = {len(run) for run in re.findall("`+", flat)}
    ticks = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if flat[0] in "` " or flat[-1] in "` " else ""
    body = flat.replace("|", r"\|") if in_table else flat
    return isolated(f"{ticks}{pad}{body}{pad}{ticks}")


def link(address: str, text: str = "") -> str:
    """A link, if the address is one to a web page; else the address as inert text."""
    is_web = address.startswith(("https://", "http://"))
    if not is_web or any(c.isspace() or _is_invisible(c) for c in address):
        return md(address)
    target = quote(address, safe=_URL_SAFE).replace("&", "&amp;")
    return f"[{md(text or address)}](<{target}>)"


def fence(text: str, language: str = "") -> str:
    """A fenced block that the text cannot close."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int] = ()
) -> str:
    """A table of cells that are inert already.

    Args:
        header: Column titles.
        rows: Cells.
        right: Columns (from 0) to be set flush right.
    """
    rules = ["---:" if column in right else "---" for column in range(len(header))]
    lines = [header, rules, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"
