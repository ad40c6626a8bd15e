"""The key patch: confirmed findings as changes of the benchmark's own key files.

Only the parts of a key that differ are written anew; every other byte of a file stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from audit_app.domain.benchmark import KeyKind
from audit_app.domain.record import Json
from audit_app.domain.review import Finding
from audit_app.reporting.key_patch_diff import Replacement, replaced, unified_diff
from audit_app.reporting.key_patch_json import is_same
from audit_app.reporting.key_patch_layout import KeyLayout, stored_form, task_form
from audit_app.reporting.key_patch_records import Located, PatchError, locate_keys
from audit_app.scoring.key_differences import key_differences
from audit_app.scoring.key_shapes import ReadKey

_LABELS = (KeyKind.NO_CALL, KeyKind.SOME_CALL)


@dataclass(frozen=True, kw_only=True)
class KeyChange:
    """What the confirmed findings of one task ask for.

    Attributes:
        task_id: Its id.
        published: The published key, as it was imported.
        proposed: The key that should stand instead, None where the findings come to none.
        findings: The confirmed findings.
        reason: Why their proposals come to no key, where there are any.
    """

    task_id: str
    published: ReadKey
    proposed: ReadKey | None
    findings: tuple[Finding, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class KeyFile:
    """A key file as it is.

    Attributes:
        name: Its path inside the benchmark's folder, with forward slashes.
        content: Its bytes.
        layout: Where ids and keys stand in it.
    """

    name: str
    content: bytes
    layout: KeyLayout


class PatchStatus(StrEnum):
    """What became of a change."""

    PATCHED = "patched"
    LABEL_CHANGE = "label_change"
    """The task should expect calls, or none: it belongs in another file, so none is patched."""
    NO_PROPOSAL = "no_proposal"
    """The defect is confirmed, but no finding says what should stand instead."""
    NOT_PATCHED = "not_patched"
    """The proposal or the file cannot be used; the reason says why."""


@dataclass(frozen=True)
class ChangedPart:
    """The smallest part of a key that holds a change.

    Attributes:
        op: ``replace``, or ``add`` or ``remove`` for a member of an object.
        path: JSON Pointer (RFC 6901) from the key's own field.
        before: What stands there, None for ``add``.
        after: What should, None for ``remove``.
    """

    op: str
    path: str
    before: Json
    after: Json


@dataclass(frozen=True, kw_only=True)
class PatchedTask:
    """One task of the patch.

    Attributes:
        change: What was asked for.
        status: What became of it.
        differences: The change in sentences.
        reason: Why no file was patched, empty where one was.
        file: Name of the file that holds its key, empty where none is known.
        before: The key as the file holds it.
        after: The key as the file should hold it.
        parts: The changed parts, in the file's own form.
    """

    change: KeyChange
    status: PatchStatus
    differences: tuple[str, ...] = ()
    reason: str = ""
    file: str = ""
    before: Json = None
    after: Json = None
    parts: tuple[ChangedPart, ...] = ()


@dataclass(frozen=True)
class PatchedFile:
    """A file with its changes.

    Attributes:
        name: Its name.
        content: All of it, changed.
        diff: The changes as a unified diff.
        task_ids: Whose keys changed, in the order of the file.
    """

    name: str
    content: bytes
    diff: bytes
    task_ids: tuple[str, ...]


@dataclass(frozen=True)
class KeyPatch:
    """The whole patch.

    Attributes:
        tasks: Every task that was asked for, by id.
        files: The files that change, by name.
    """

    tasks: tuple[PatchedTask, ...]
    files: tuple[PatchedFile, ...]

    def of(self, status: PatchStatus) -> list[PatchedTask]:
        """The tasks of one status."""
        return [task for task in self.tasks if task.status is status]

    @property
    def diff(self) -> bytes:
        """The changes of all files as one unified diff."""
        return b"".join(file.diff for file in self.files)


def build_key_patch(files: Iterable[KeyFile], changes: Iterable[KeyChange]) -> KeyPatch:
    """Write proposed keys into the benchmark's key files.

    A key is changed only in a file that still holds the published one; of several records of one
    id the first counts, as on import.

    Args:
        files: The benchmark's key files; those that hold no changed key may be among them.
        changes: One a task.
    """
    settled: list[PatchedTask] = []
    wanted: dict[str, PatchedTask] = {}
    for change in changes:
        task = _judged(change)
        if task.status is PatchStatus.PATCHED:
            wanted[change.task_id] = task
        else:
            settled.append(task)
    patched: list[PatchedFile] = []
    missing = "no key file holds this task"
    for file in sorted(files, key=lambda file: file.name):
        try:
            done, new = _patch_file(file, wanted)
        except PatchError as error:
            missing += f"; {file.name} was not searched: {error}"
            continue
        for task in done:
            del wanted[task.change.task_id]
        settled += done
        patched += [new] if new else []
    settled += [_refused(task, missing) for task in wanted.values()]
    return KeyPatch(tuple(sorted(settled, key=lambda t: t.change.task_id)), tuple(patched))


def _judged(change: KeyChange) -> PatchedTask:
    """The change with what can be said without the files; ``PATCHED`` where they decide."""
    if change.proposed is None:
        if any(finding.proposed_key for finding in change.findings):
            return _refused(PatchedTask(change=change, status=PatchStatus.PATCHED), change.reason)
        reason = "no finding proposes a key"
        return PatchedTask(change=change, status=PatchStatus.NO_PROPOSAL, reason=reason)
    kinds = {change.published.kind, change.proposed.kind}
    differences = tuple(key_differences(change.published, change.proposed))
    task = PatchedTask(change=change, status=PatchStatus.PATCHED, differences=differences)
    if kinds & set(_LABELS):
        reason = "the label of the task changes, which no key file holds"
        return replace(task, status=PatchStatus.LABEL_CHANGE, reason=reason)
    if len(kinds) == 1 and is_same(change.published.key, change.proposed.key):
        return _refused(task, "the proposed key equals the published one")
    return task


def _refused(task: PatchedTask, reason: str, file: str = "") -> PatchedTask:
    return replace(task, status=PatchStatus.NOT_PATCHED, reason=reason, file=file)


def _patch_file(
    file: KeyFile, wanted: dict[str, PatchedTask]
) -> tuple[list[PatchedTask], PatchedFile | None]:
    """The tasks whose key the file holds, and the file with them, if any changed."""
    text = file.content.decode("utf-8", "surrogateescape")
    done: dict[str, PatchedTask] = {}
    replacements: list[Replacement] = []
    for task_id, place in locate_keys(file.name, text, file.layout):
        if task_id in wanted and task_id not in done:
            done[task_id] = _patch_task(file, wanted[task_id], place, replacements)
    if not replacements:
        return list(done.values()), None
    changed = [t.change.task_id for t in done.values() if t.status is PatchStatus.PATCHED]
    return list(done.values()), PatchedFile(
        name=file.name,
        content=replaced(text, replacements).encode("utf-8", "surrogateescape"),
        diff=unified_diff(file.name, text, replacements).encode("utf-8", "surrogateescape"),
        task_ids=tuple(changed),
    )


def _patch_task(
    file: KeyFile, task: PatchedTask, place: Located, replacements: list[Replacement]
) -> PatchedTask:
    published, proposed = task.change.published, task.change.proposed
    if proposed is None or not is_same(
        task_form(file.layout, place.stored, published.key), published.key
    ):
        return _refused(task, "the file holds another key than the one imported", file.name)
    after = stored_form(file.layout, place.stored, proposed.key)
    if is_same(place.stored, after):
        return _refused(task, "the file holds these calls already, in another order", file.name)
    if not is_same(task_form(file.layout, after, proposed.key), proposed.key):
        return _refused(task, "the file can hold one call of a function only", file.name)
    try:
        replacements.append(Replacement(place.start, place.end, place.render(after)))
    except PatchError as error:
        return _refused(task, str(error), file.name)
    return replace(
        task,
        file=file.name,
        before=place.stored,
        after=after,
        parts=tuple(changed_parts(place.stored, after)),
    )


def changed_parts(before: Json, after: Json, path: str = "") -> Iterator[ChangedPart]:
    """The smallest parts in which two keys differ; lists of different length are one part."""
    if is_same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *(name for name in after if name not in before)]:
            place = f"{path}/{_pointer(name)}"
            if name not in after:
                yield ChangedPart("remove", place, before[name], None)
            elif name not in before:
                yield ChangedPart("add", place, None, after[name])
            else:
                yield from changed_parts(before[name], after[name], place)
    elif _are_parallel(before, after):
        for position, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changed_parts(old, new, f"{path}/{position}")
    else:
        yield ChangedPart("replace", path, before, after)


def _are_parallel(before: Json, after: Json) -> bool:
    """Whether both are lists of as many objects, or lists, so that each can be compared."""
    if not isinstance(before, list) or not isinstance(after, list) or len(before) != len(after):
        return False
    items: Sequence[Json] = [*before, *after]
    return all(isinstance(item, dict) for item in items) or all(
        isinstance(item, list) for item in items
    )


def _pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
