"""Reads rendered HTML back, so that tests look at what a browser would see."""

from __future__ import annotations

from html.parser import HTMLParser


class Markup(HTMLParser):
    """Tags, attributes and text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.parts: list[str] = []
        self.marks: list[str] = []
        self._in_mark = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self._in_mark = tag == "span" and ("class", "ctl") in attrs

    def handle_endtag(self, tag: str) -> None:
        self._in_mark = False

    def handle_data(self, data: str) -> None:
        (self.marks if self._in_mark else self.parts).append(data)

    @property
    def text(self) -> str:
        """All text outside the marks of invisible characters."""
        return "".join(self.parts)


def text_of(html: str) -> str:
    """The text of a piece of HTML."""
    return Markup(html).text
