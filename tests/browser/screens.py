"""Which pictures there are: every page in every state, and how each state is reached."""

from __future__ import annotations

from enum import StrEnum

from audit_app.ui.frame import PAGES

HOME = "Review"
SIZES = ((1440, 900), (1280, 800))
"""Windows in which every page is taken as it usually is; the states are taken in the first."""


FULL_BLEED = ("Browse", "Review", "Adjudicate")
"""Pages that fill the window beside the rail."""
LONG_QUERY = {
    "Review": "?task=prompt/100-kb",
    "Confirm": "?task=prompt/100-kb",
    "Adjudicate": "?as=cleo",
}
SCRIPTS_QUERY = {"Review": "?task=emoji/🧪", "Confirm": "?task=emoji/🧪", "Adjudicate": "?as=cleo"}
"""What the address of a page says besides, to show its long or its foreign texts."""


class State(StrEnum):
    """A state of a page besides its usual one."""

    EMPTY = "empty"
    LOADING = "loading"
    LONG = "long"
    SCRIPTS = "scripts"
    ERROR = "error"
    DARK = "dark"


TITLES = {
    State.EMPTY: "nothing there yet",
    State.LOADING: "loading",
    State.LONG: "long texts",
    State.SCRIPTS: "right-to-left, CJK",
    State.ERROR: "error",
    State.DARK: "dark",
}


def address(page: str) -> str:
    """Where a page is, below the address of the app."""
    return "/" if page == HOME else f"/{page.lower()}"


def usual(page: str, width: int, height: int) -> str:
    """File name of the usual picture of a page."""
    return f"{page.lower()}_{width}x{height}.png"


def picture(page: str, state: State) -> str:
    """File name of the picture of a page in a state."""
    return f"{page.lower()}_{state.value}.png"


EXTRA = {
    "browse_task.png": "Browse, a task outside the sample",
    "review_defect.png": "Review, the defect form open",
    "review_help.png": "Review, help",
}
"""Pictures of what opens on a page."""


def files() -> list[str]:
    """File names of all pictures."""
    usuals = [usual(page, *size) for page in PAGES for size in SIZES]
    return [*usuals, *(picture(page, state) for page in PAGES for state in State), *EXTRA]


def index() -> str:
    """The index of all pictures, as Markdown."""
    heads = ["page", *(f"{w}×{h}" for w, h in SIZES), *(TITLES[state] for state in State)]
    rows = [
        [
            page,
            *(_link("picture", usual(page, *size)) for size in SIZES),
            *(_link(state.value, picture(page, state)) for state in State),
        ]
        for page in PAGES
    ]
    extra = [f"- {_link(title, file)}" for file, title in EXTRA.items()]
    return "\n".join(
        [
            "# Screens",
            "",
            "Every page in every state, made by `python -m tests.browser.screenshots` from the "
            "bundled benchmark and",
            "from invented ones whose texts are long or hostile.",
            "",
            *(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows]),
            "",
            *extra,
            "",
        ]
    )


def _link(text: str, file: str) -> str:
    return f"[{text}](screenshots/{file})"
