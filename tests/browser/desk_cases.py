"""Invented tasks of every kind of key, hostile and awkward ones among them."""

from __future__ import annotations

from audit_app.domain.benchmark import Entry, KeyKind, Message, Output, Task
from audit_app.domain.record import Json
from audit_app.services.task_views import TaskView, group_outputs

HOSTILE = (
    "<script>window.stolen = 1</script><img src=x onerror='window.stolen = 2'>"
    "<style>*{display:none}</style> **bold** # 1 `code` $5 and $7 :red[mark] "
    "[a](javascript:alert(1))"
)
RTL = "כמה עולה הכרטיס? السعر ١٥ 東京から京都まで、いくらですか。"
SPOOF = "pay\u202egpj.exe\u202c now\x07\x1b[31m and\u200b then"


def _said(text: str) -> tuple[tuple[Message, ...], ...]:
    return ((Message("user", text),),)


def _tool(name: str, **properties: Json) -> Json:
    return {
        "name": name,
        "description": f"Does what {name} says.",
        "parameters": {"type": "dict", "properties": properties, "required": list(properties)[:1]},
    }


def said(answer: Json, passed: bool | None, *models: str, **more: str) -> list[Output]:
    """The same answer by several models, with its published grade."""
    return [
        Output(
            entry_id="e",
            model=model,
            body=answer,
            passed=passed,
            reason_code=more.get("code", ""),
            reason=more.get("reason", ""),
        )
        for model in models
    ]


def _view(task: Task, *outputs: list[Output], **documents: Json) -> TaskView:
    return TaskView(
        task=task,
        entries=(Entry(task.id, 0.0125),),
        documents={key.replace("__", "/"): body for key, body in documents.items()},
        groups=group_outputs(task, [output for some in outputs for output in some]),
        stratum=task.group,
        simulated=True,
    )


def plain(number: int) -> TaskView:
    """A small call task, told apart by its number."""
    name = f"plain/{number:03d}"
    task = Task(
        id=name,
        category="simple",
        group="calls",
        scorer="bfcl-ast",
        turns=_said(f"Open bay {number} slowly."),
        tools=(
            _tool(
                "greenhouse.open",
                bay={"type": "integer", "description": "Bay number."},
                pace={"type": "string", "enum": ["slow", "fast"], "default": "slow"},
            ),
            _tool("greenhouse.close", bay={"type": "integer"}),
        ),
        key_kind=KeyKind.CALLS,
        key=[{"greenhouse.open": {"bay": [number], "pace": ["slow", ""]}}],
    )
    call = f"[greenhouse.open(bay={number})]"
    return _view(
        task,
        said(call, True, "sim-alder", "sim-birch", "sim-cedar", code="valid"),
        said(call.replace("open", "close"), False, "sim-elm", reason="Called close, not open."),
    )


def hostile() -> TaskView:
    """A task whose every text attacks the page."""
    task = Task(
        id="odd/<b>id</b> & 'quotes'",
        category="<i>category</i>",
        group="calls",
        scorer="<script>",
        turns=((Message("system", HOSTILE), Message("user", HOSTILE + SPOOF)),),
        tools=(_tool(HOSTILE, **{"<b>x</b>": {"type": HOSTILE, "description": HOSTILE}}),),
        key_kind=KeyKind.CALLS,
        key=[{HOSTILE: {"<b>x</b>": [HOSTILE, {"<u>": [RTL, ""]}]}}],
        context={"<s>": HOSTILE},
    )
    return _view(task, said(HOSTILE, False, "<b>model</b>", reason=HOSTILE, code="<i>code</i>"))


def kinds() -> list[TaskView]:
    """One task of every other kind of key."""
    turns = Task(
        id="turns/miss_func",
        category="multi_turn_miss_func",
        group="multi_turn",
        scorer="bfcl-multi-turn",
        turns=((Message("user", "Make a folder."),), (), (Message("user", RTL),)),
        key_kind=KeyKind.CALL_TURNS,
        key=[["mkdir(dir_name='seeds')"], ["ls()", "sort(file_name='a.txt')"], []],
        context={
            "initial_config": {"Files": {"root": {"a": ["x" * 90]}, "cwd": "/", "open": True}},
            "missed_function": {"1": ["sort"]},
            "excluded_function": ["cp"],
            "involved_classes": ["Files"],
            "path": ["Files.mkdir"],
        },
    )
    memory = Task(
        id="memory_3-customer-3",
        category="memory",
        group="memory",
        scorer="bfcl-agentic",
        turns=_said("Which port did I choose?"),
        key_kind=KeyKind.TEXTS,
        key=["Lund", "Port Lund"],
        context={"source": "I always sail from Lund.", "scenario": "customer"},
    )
    web = Task(
        id="web_search_9",
        category="web_search",
        group="web_search",
        scorer="bfcl-agentic",
        turns=_said("Who founded the firm that makes the dearest tea?"),
        key_kind=KeyKind.TEXTS,
        key=["Ada Vell"],
        context={
            "num_hops": 2,
            "source": [
                {"subquestion": "Dearest tea", "answer": "Red", "source": "https://example.org/a"},
                {"subquestion": "Founder", "answer": "Ada", "source": "javascript:alert(1)"},
            ],
        },
    )
    choice = Task(
        id="choice 1",
        category="science",
        group="choices",
        scorer="multiple_choice",
        turns=_said("Which of these is prime?"),
        key_kind=KeyKind.VALUE,
        key="B",
        context={"choices": ["8", "13", "17", "21"]},
    )
    talks = [
        {"topic": "First order", "question": [[{"role": "user", "content": "I sail from Lund."}]]}
    ]
    return [
        _view(turns, tools__Files=[_tool("mkdir", dir_name={"type": "string"}), _tool("ls")]),
        _view(memory, said("Lund.", True, "sim-alder"), conversation__customer=talks),
        _view(web, said("I do not know.", False, "sim-alder", "sim-birch")),
        _view(choice, said("B", None, "sim-alder"), said("C", None, "sim-birch")),
        *(
            _view(
                Task(
                    id=f"{kind.value}/1",
                    category=kind.value,
                    group="other",
                    scorer=scorer,
                    turns=_said("What time is it in Sydney?"),
                    tools=(_tool("get_local_time", location={"type": "string"}),),
                    key_kind=kind,
                )
            )
            for kind, scorer in (
                (KeyKind.NO_CALL, "bfcl-irrelevance"),
                (KeyKind.SOME_CALL, "bfcl-relevance"),
                (KeyKind.MISSING, ""),
            )
        ),
    ]


def long(number: int, *, characters: int = 100_000) -> TaskView:
    """A task of about so many characters, spread over prompt, tools and outputs."""
    part = characters // 10
    text = ("All work and no play makes a long task. " * (part // 40 + 1))[:part]
    tools = [
        _tool(f"tool_{i}", field={"type": "string", "description": text[:2_000]}) for i in range(10)
    ]
    task = Task(
        id=f"long/{number:03d}",
        category="long",
        group="long",
        scorer="bfcl-ast",
        turns=_said(text * 2),
        tools=tuple(tools),
        key_kind=KeyKind.CALLS,
        key=[{"tool_1": {"field": ["a", "b"]}}],
    )
    outputs = [said(f"answer {i} {text}", i == 0, f"sim-{i}") for i in range(6)]
    return _view(task, *outputs)


def many_turns(turns: int = 6_000) -> TaskView:
    """A task of very many turns, each with a call of the key, and an output that follows it."""
    calls = [[f"water(bay={n})"] for n in range(turns)]
    task = Task(
        id="huge/turns",
        category="multi_turn",
        group="huge",
        scorer="bfcl-multi-turn",
        turns=tuple((Message("user", f"Event {n}: water bay {n}."),) for n in range(turns)),
        key_kind=KeyKind.CALL_TURNS,
        key=calls,
    )
    return _view(task, said([[call] for call in calls], True, "sim-alder"))


def heavy(megabytes: int = 5) -> TaskView:
    """A task with so many megabytes of metadata, in one large field and in very many small ones."""
    part = megabytes * 500_000
    events = [{"event": n, "text": "steady " * 10} for n in range(part // 100)]
    small: dict[str, Json] = {f"field {n}": "x" * 80 for n in range(part // 100)}
    task = Task(
        id="huge/metadata",
        category="simple",
        group="huge",
        scorer="bfcl-ast",
        turns=_said("Open bay 1 slowly."),
        key_kind=KeyKind.CALLS,
        key=[{"greenhouse.open": {"bay": [1]}}],
        context={"trace": events, "initial_state": {"Greenhouse": small}, **small},
    )
    return _view(task, said("[greenhouse.open(bay=1)]", True, "sim-alder"))
