"""Slips: the ways in which a simulated model gets calls wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from samples.toolshop.calls import Arguments, Call
from samples.toolshop.source import Property, Scalar, Tool, Value


def slipped_calls(calls: Sequence[Call], tools: Mapping[str, Tool]) -> list[list[Call]]:
    """The calls with one slip each: a value, an argument, a name or a call gone wrong."""
    slipped = [
        [*calls[:place], changed, *calls[place + 1 :]]
        for place, call in enumerate(calls)
        for changed in _changed(call, tools[call.function])
    ]
    if len(calls) > 1:
        slipped += [list(calls[:-1]), list(calls[1:])] * 2
    else:
        slipped.append([*calls, *calls])
    return slipped


def _changed(call: Call, tool: Tool) -> Iterator[Call]:
    for name, value in call.arguments.items():
        for wrong in _wrong_values(value, tool.properties[name]):
            yield Call(call.function, call.arguments | {name: wrong})
        if name not in tool.required and value != tool.properties[name].default:
            yield Call(call.function, _without(call.arguments, name))
    yield Call(call.function.replace(".", "_"), call.arguments)
    yield Call(call.function, call.arguments | {"confirm": True})


def _without(arguments: Arguments, name: str) -> Arguments:
    return {key: value for key, value in arguments.items() if key != name}


def _wrong_values(value: Value, schema: Property) -> list[Value]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, str(value)]
    if isinstance(value, float):
        return [round(value * 10, 3), round(value + 1, 3)]
    if isinstance(value, str):
        return [*_wrong_texts(value, schema)]
    return [list(value[:-1]), ", ".join(str(item) for item in value)]


def _wrong_texts(text: str, schema: Property) -> list[Scalar]:
    if schema.enum is not None:
        return [option for option in schema.enum if option != text]
    if text[:4].isdigit() and text[4:5] == "-":
        return [f"{text[:-1]}{(int(text[-1]) + 1) % 10}", f"{int(text[:4]) - 1}{text[4:]}"]
    if text[-1].isdigit():
        return [f"{text[:-1]}{(int(text[-1]) + 1) % 10}"]
    return [text.split()[0] if " " in text else f"{text} {text[0]}."]
