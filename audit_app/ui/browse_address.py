"""The address of the page Browse: everything on it can be linked to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode

from audit_app.services.browsing import TaskQuery
from audit_app.ui.state import TASK_PARAM

TEXT, CATEGORY, GROUP, PAGE, BENCHMARK, WHOLE = (
    "q",
    "category",
    "group",
    "page",
    "benchmark",
    "full",
)
_OWN = (TEXT, CATEGORY, GROUP, PAGE, BENCHMARK, WHOLE, TASK_PARAM)


@dataclass(frozen=True)
class BrowseAddress:
    """What is looked at.

    Attributes:
        query: Which tasks.
        page: Page of the list.
        task: The task that is open, empty for the list.
        benchmark: The benchmark where it is not the audit's, empty for that.
        whole: Whether nothing is left out of long texts.
        kept: Every other parameter of the address, such as the audit.
    """

    query: TaskQuery = field(default_factory=TaskQuery)
    page: int = 1
    task: str = ""
    benchmark: str = ""
    whole: bool = False
    kept: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> BrowseAddress:
        """The address that these parameters make; what cannot be a page is the first one."""
        page = parameters.get(PAGE, "")
        return cls(
            query=TaskQuery(
                text=parameters.get(TEXT, ""),
                category=parameters.get(CATEGORY, ""),
                group=parameters.get(GROUP, ""),
            ),
            page=int(page) if page.isascii() and page.isdigit() and len(page) < 10 else 1,
            task=parameters.get(TASK_PARAM, ""),
            benchmark=parameters.get(BENCHMARK, ""),
            whole=bool(parameters.get(WHOLE)),
            kept={name: value for name, value in parameters.items() if name not in _OWN},
        )

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that make this address; what is not said is left out."""
        own = {
            BENCHMARK: self.benchmark,
            TEXT: self.query.text,
            GROUP: self.query.group,
            CATEGORY: self.query.category,
            PAGE: str(self.page) if self.page > 1 else "",
            TASK_PARAM: self.task,
            WHOLE: "1" if self.whole else "",
        }
        return {**self.kept, **{name: value for name, value in own.items() if value}}

    def at(self, *, task: str = "", page: int = 1) -> str:
        """The link to a task, or to a page of the list, with the same query."""
        return replace(self, task=task, page=page, whole=False).link

    @property
    def link(self) -> str:
        """The link to this very address."""
        return f"?{urlencode(self.parameters)}"


def parameters_of(link: str) -> dict[str, str]:
    """The parameters of a link of this page."""
    return dict(parse_qsl(link.removeprefix("?")))
