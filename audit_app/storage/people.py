"""Names of the people that a workspace knows."""

from __future__ import annotations

from audit_app.storage.workspace import Workspace

_NAMES = """
select reviewer from reviews where reviewer not like 'imported: %'
union select reviewer from marks
union select reviewer from assignments
union select adjudicator from adjudications
union select named.value
    from team_settings, json_each(body, '$.reviewers') as named
    where team_settings.rowid in (select max(rowid) from team_settings group by audit)
union select named.value
    from team_settings, json_each(body, '$.adjudicators') as named
    where team_settings.rowid in (select max(rowid) from team_settings group by audit)
"""


def known_names(workspace: Workspace) -> list[str]:
    """Who reviewed, adjudicated, or is named for either, in any audit, in alphabetical order.

    Reviews that came in a file without a reviewer's name bear the file's, which is nobody's.
    """
    return sorted(str(name) for (name,) in workspace.rows(_NAMES))
