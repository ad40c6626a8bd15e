"""Reviewers without a browser: sessions that speak with the app as the review desk does.

The browsers of a team run on its members' computers. So that the cost of 19 of them does not weigh
on the machine that serves them, these sessions send and read what a browser would and draw nothing.
Run as a program it opens one for each person and judges until its input ends.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from tests.bench.desk_watch import Times

AHEAD = 24
KEPT_VIEWS = 64
ANSWER_S = 1.5
"""As in the desk: tasks read ahead, views kept, and how long an answer is waited for."""
KEPT_MESSAGES = 4
"""Of the messages that need not be sent again, how many of the last are named."""


@dataclass
class _Session:
    """One reviewer's end of the connection."""

    socket: ClientConnection
    query: str
    widget: str = ""
    page: str = ""
    at: str = ""
    count: int = 0
    answered: int = 0
    sent_at: float = 0.0
    queue_digest: str = ""
    fixed_digest: str = ""
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    log: dict[str, dict[str, Any]] = field(default_factory=dict)
    begun: dict[str, float] = field(default_factory=dict)
    saved: list[float] = field(default_factory=list)
    known: dict[str, None] = field(default_factory=dict)

    async def listen(self) -> None:
        """Read what the app sends, and answer where a browser would."""
        await self._rerun()
        async for raw in self.socket:
            message = ForwardMsg()
            message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
            if message.metadata.cacheable:
                self.known[message.hash] = None
            if message.WhichOneof("type") == "navigation":
                self.page = message.navigation.page_script_hash
            element = message.delta.new_element
            if element.WhichOneof("type") == "bidi_component":
                self.widget = element.bidi_component.id
                if self._take(json.loads(element.bidi_component.json)):
                    await self.send()

    def _take(self, data: dict[str, Any]) -> bool:
        """Take up an answer; whether there is something to ask for."""
        self.answered = data["count"]
        self.fixed_digest, queue = data["fixed"]["digest"], data["queue"]
        for row in queue.get("rows") or queue.get("changed", ()):
            self.rows[row["id"]] = row
        self.queue_digest = queue["digest"]
        for view in data["views"]:
            if "left" in view:
                self.views[view["id"]] = view["digest"]
        for ack in data["acks"]:
            if self.log.pop(ack["id"], None):
                self.saved.append(1_000 * (time.monotonic() - self.begun.pop(ack["id"])))
        self.at = self.at or data["at"]
        return bool(data["more"]) or self.count == 0

    def _coming(self) -> list[str]:
        ids = list(self.rows)
        here = ids.index(self.at) if self.at in self.rows else -1
        judged = {action["task_id"] for action in self.log.values()}
        return [
            task
            for task in (*ids[here + 1 :], *ids[: max(here, 0)])
            if (row := self.rows[task]).get("state", "open") == "open"
            and not row.get("waits")
            and task not in judged
        ][:AHEAD]

    async def judge(self) -> None:
        """Judge the task on screen as clean and go on to the next."""
        coming = self._coming()
        if not coming or self.at not in self.views:
            return
        id_ = str(uuid4())
        self.log[id_] = {"id": id_, "kind": "clean", "task_id": self.at, "seconds": 2.0}
        self.begun[id_] = time.monotonic()
        self.at = coming[0]
        if self.answered >= self.count or time.monotonic() - self.sent_at > ANSWER_S:
            await self.send()

    async def send(self) -> None:
        """Say what is on screen, what is held, and what has no answer yet."""
        self.count += 1
        self.views = dict(list(self.views.items())[-KEPT_VIEWS:])
        value = {"count": self.count, "at": self.at, "have": self.views, "full": []}
        value |= {"log": list(self.log.values()), "queue": self.queue_digest, "ahead": AHEAD}
        value |= {"fixed": self.fixed_digest, "coming": self._coming(), "prose": []}
        await self._rerun({"sent": value})

    async def _rerun(self, value: dict[str, Any] | None = None) -> None:
        self.sent_at = time.monotonic()
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.cached_message_hashes.extend(list(self.known)[-KEPT_MESSAGES:])
        if value is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.json_value = self.widget, json.dumps(value)
        await self.socket.send(message.SerializeToString())


async def _review(address: str, audit: str, person: str, gap_s: float, told: list[Times]) -> None:
    url = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with connect(url, max_size=None, subprotocols=["streamlit"]) as socket:  # type: ignore[list-item]
        session = _Session(socket, urlencode({"audit": audit, "as": person}))
        listening = asyncio.create_task(session.listen())
        presses = 0
        try:
            await asyncio.sleep(random.random() * gap_s)
            while True:
                if listening.done():
                    listening.result()  # says what ended it
                before = len(session.log) + len(session.saved)
                await session.judge()
                presses += len(session.log) + len(session.saved) - before
                await asyncio.sleep(gap_s)
        finally:
            listening.cancel()
            told.append(Times(presses, [], session.saved))


async def _run(address: str, audit: str, gap_s: float, people: Sequence[str]) -> None:
    told: list[Times] = []
    tasks = [asyncio.create_task(_review(address, audit, person, gap_s, told)) for person in people]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, BaseException) and not isinstance(ended, asyncio.CancelledError):
            raise ended
    total = sum(told, start=Times(0, [], []))
    sys.stdout.write(json.dumps(total._asdict()))


@dataclass(frozen=True)
class Sessions:
    """Sessions at work."""

    process: subprocess.Popen[str]

    def end(self) -> Times:
        """End them; their times."""
        said, _ = self.process.communicate(timeout=60)
        return Times(**json.loads(said))


@contextmanager
def sessions_of(
    people: Sequence[str], address: str, audit: str, *, gap_ms: int
) -> Iterator[Sessions]:
    """Reviewers at work while this lasts, in a process of their own."""
    command = [sys.executable, "-m", __name__, address, audit, str(gap_ms / 1_000), *people]
    process = subprocess.Popen(
        command,
        cwd=Path(__file__).resolve().parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Sessions(process)
    finally:
        process.terminate()
        process.wait(timeout=20)


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]))
