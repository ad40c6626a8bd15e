"""The taxonomy as the browser's forms take it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from audit_app.domain.rubric import Taxonomy


def taxonomy_data(taxonomy: Taxonomy) -> dict[str, Any]:
    """Effects, causes by family, severities and states with their definitions, as plain data."""

    def described(items: Iterable[Any]) -> list[dict[str, str]]:
        return [
            {"id": item.id, "label": item.label.text(), "definition": item.definition.text()}
            for item in items
        ]

    return {
        "effects": described(taxonomy.effects),
        "severities": described(taxonomy.severities),
        "states": described(taxonomy.states),
        "families": [
            {
                "letter": family.letter,
                "label": family.label.text(),
                "causes": [
                    {
                        "code": cause.code,
                        "label": cause.label.text(),
                        "definition": cause.definition.text(),
                        "example": cause.example.text(),
                        "effect": cause.usual_effect,
                    }
                    for cause in family.causes
                ],
            }
            for family in taxonomy.families
        ],
    }
