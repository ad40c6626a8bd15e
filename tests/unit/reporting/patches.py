"""Plain readers of the two patch formats, written from their specifications."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy

from audit_app.domain.record import Json
from audit_app.reporting.key_patch import ChangedPart

_HUNK = re.compile(rb"@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n")


def _split(content: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", content)


def apply_diff(content: bytes, diff: bytes) -> bytes:
    """The content after a unified diff of one file; every line of it is checked."""
    old, new = _split(content), list[bytes]()
    position = 0
    lines = iter(_split(diff.replace(b"\n\\ No newline at end of file\n", b"\0")))
    for line in lines:
        if line.startswith((b"--- a/", b"+++ b/")):
            continue
        match = _HUNK.fullmatch(line)
        assert match, line
        start, size, new_start, new_size = map(int, match.groups())
        new += old[position : start - 1]
        assert len(new) == new_start - 1
        position = start - 1
        while size or new_size:
            for part in next(lines).replace(b"\0", b"\0\n").split(b"\0\n"):
                if not part:
                    continue
                sign, text = part[:1], part[1:]
                if sign in b" -":
                    assert old[position] == text, (old[position], text)
                    position += 1
                    size -= 1
                if sign in b" +":
                    new.append(text)
                    new_size -= 1
    return b"".join(new + old[position:])


def apply_operations(key: Json, parts: Iterable[ChangedPart]) -> Json:
    """The key after operations as RFC 6902 has them, each checked against what stood there."""
    root = {"": deepcopy(key)}
    for part in parts:
        names = [name.replace("~1", "/").replace("~0", "~") for name in part.path.split("/")]
        holder: Json = root
        for name in names[:-1]:
            holder = holder[int(name) if isinstance(holder, list) else name]
        last = int(names[-1]) if isinstance(holder, list) else names[-1]
        if part.op == "add":
            assert last not in holder
        else:
            assert holder[last] == part.before
        if part.op == "remove":
            del holder[last]
        else:
            holder[last] = part.after
    return root[""]
