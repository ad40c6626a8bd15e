"""Wrong values that could stand in a key by mistake: of the type and the look of the right one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from audit_app.domain.benchmark import encode
from audit_app.domain.record import Json

_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_DIGITS = re.compile(r"\d+")
_LONGEST = 15
"""Digits of a group that are stepped; longer ones are ids, of which the last digits are."""


def wrong_values(
    value: Json, *, others: Sequence[Json] = (), options: Sequence[Json] = ()
) -> list[Json]:
    """Plausible wrong values for one accepted value, without repetition; none where there are none.

    Numbers move by one in their last digit that is not 0, and two neighbouring digits change
    places; dates move by a day or a week; texts with digits move in one group of digits; other
    texts give way to one of ``others``; lists and objects change in one place.

    Args:
        value: The right value.
        others: Values that other keys accept in that place.
        options: The only values that the schema allows there; empty where it allows any.
    """
    if options:
        found: Iterable[Json] = (o for o in options if type(o) is type(value))
    else:
        found = _candidates(value, others)
    return _distinct(found, value)


def has_same_look(value: Json, other: Json) -> bool:
    """Whether a person could take one for the other at a glance: type, digits, words, length."""
    if not isinstance(value, str) or not isinstance(other, str):
        return type(value) is type(other)
    short, long = sorted((len(value), len(other)))
    return (
        bool(_DIGITS.search(value)) == bool(_DIGITS.search(other))
        and abs(len(value.split()) - len(other.split())) <= 1
        and 2 * short + 4 >= long
        and value[:1].isupper() == other[:1].isupper()
    )


def _candidates(value: Json, others: Sequence[Json]) -> Iterator[Json]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from _numbers(value)
        case str():
            yield from _texts(value, others)
        case list():
            for place, member in enumerate(value):
                for wrong in wrong_values(member):
                    yield [*value[:place], wrong, *value[place + 1 :]]
        case dict():
            for name, member in value.items():
                for wrong in wrong_values(member):
                    yield {**value, name: wrong}


def _numbers(value: int | float) -> Iterator[int | float]:
    exact = Decimal(repr(value))
    exponent = exact.normalize().as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    for wrong in (exact + step, exact - step, *_swapped(exact)):
        keeps_sign = not value or (wrong > 0) == (value > 0)
        if keeps_sign and (wrong or not value):
            yield int(wrong) if isinstance(value, int) else float(wrong)


def _swapped(exact: Decimal) -> Iterator[Decimal]:
    sign, digits, exponent = exact.as_tuple()
    scale = exponent if isinstance(exponent, int) else 0
    for place in range(len(digits) - 1):
        first, second = digits[place : place + 2]
        if first != second and (place or second):
            swapped = (*digits[:place], second, first, *digits[place + 2 :])
            yield Decimal((sign, swapped, scale))


def _texts(value: str, others: Sequence[Json]) -> Iterator[str]:
    if dates := list(_DATE.finditer(value)):
        for found in dates:
            for moved in _moved(found[0]):
                yield value[: found.start()] + moved + value[found.end() :]
        return
    groups = list(_DIGITS.finditer(value))
    for found in groups:
        digits = found[0][-_LONGEST:]
        head = value[: found.end() - len(digits)]
        for wrong in _numbers(int(digits)):
            text = str(wrong).zfill(len(digits))
            if len(text) == len(digits):
                yield head + text + value[found.end() :]
    if not groups:
        yield from (o for o in others if isinstance(o, str) and o and has_same_look(value, o))


def _moved(text: str) -> Iterator[str]:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return
    for days in (1, -1, 7):
        yield (day + timedelta(days=days)).isoformat()


def _distinct(values: Iterable[Json], right: Json) -> list[Json]:
    known = {_plain(right)}
    found = []
    for value in values:
        if (plain := _plain(value)) not in known:
            known.add(plain)
            found.append(value)
    return found


def _plain(value: Json) -> bytes:
    return encode("".join(value.split()).casefold() if isinstance(value, str) else value)
