"""Answers of live trials to one task as escaped HTML: by answer, under both keys, errors apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from audit_app.domain.trials import TokenLogprob, TrialStatus
from audit_app.services.live_groups import AnswerGroup, GradedTask, TrialVerdict
from audit_app.ui.rendering.answers import group_answer
from audit_app.ui.rendering.diff import diff_table
from audit_app.ui.rendering.outputs import verdict as verdict_word
from audit_app.ui.rendering.outputs import why_sentence
from audit_app.ui.rendering.text import (
    as_text,
    attribute,
    bounded,
    counted,
    limit_for,
    literal,
    whole_texts,
)
from audit_app.ui.rendering.triage_words import triage_block

SIGNATURE = 6
"""Characters of a failure's mark: the same failure has the same mark."""
_MOST_RAW = 40
"""Raw answers of one group that are drawn; the rest is counted."""
_MOST_TOKENS = 200
_WITHOUT = {
    TrialStatus.CONNECTION_ERROR: "Connection or endpoint",
    TrialStatus.TIMEOUT: "Timeout",
    TrialStatus.HARNESS_ERROR: "Harness or unreadable answer",
    TrialStatus.NOT_RUN: "Not run",
}


def board(
    graded: GradedTask,
    *,
    whole: Collection[str] = (),
    logprobs: Mapping[str, Sequence[TokenLogprob]] | None = None,
) -> str:
    """Everything that came back for the task.

    Args:
        graded: The trials of the task.
        whole: Groups whose texts are shown whole.
        logprobs: Log-probabilities to show, by id of the trial.
    """
    if not graded.verdicts:
        return '<p class="waitline">No trial of this task has ended yet.</p>'
    answered = [group for group in graded.groups if not is_error(group)]
    total = sum(group.count for group in answered)
    shown = (
        "".join(_group(g, total, graded, whole, logprobs or {}) for g in answered)
        or '<p class="waitline">No answer has come yet.</p>'
    )
    head = (
        '<div class="ph"><h2>Answers</h2><span class="meta">'
        f"{counted(total, 'trial')} with an answer of {counted(len(graded.models), 'model')}, "
        f"{counted(len(answered), 'different answer')}; equal ones together</span></div>"
    )
    return f"{triage_block(graded)}{head}{shown}{_errors(filter(is_error, graded.groups))}"


def is_error(group: AnswerGroup) -> bool:
    """Whether a group is of trials without an answer."""
    return group.published is None


def group_name(group: AnswerGroup) -> str:
    """What a group is called in the page; it stays while more trials join it."""
    job, number = min((v.trial.job, v.trial.trial) for v in group.verdicts)
    return f"{job[:8]}-{number}"


def _group(
    group: AnswerGroup,
    total: int,
    graded: GradedTask,
    whole: Collection[str],
    logprobs: Mapping[str, Sequence[TokenLogprob]],
) -> str:
    name = group_name(group)
    output = group.output_group
    with whole_texts(whole=name in whole):
        why = bounded(why_sentence(output), 1_500)
        diff = diff_table(output.diff) if output.diff is not None and not _passes(group) else ""
        compared = _fold(name, "diff", "Against the nearest accepted answer", diff) if diff else ""
        return (
            f'<article class="group" data-name="{attribute(name)}"><div class="cnt">'
            f'<b>{group.count}</b><span>of {total}</span></div><div class="gb"><div class="ans">'
            f"{_verdicts(group, graded)}{_mark(group)}{group_answer(output)}</div>"
            f'<div class="why" dir="auto">{why}</div><div class="who"><span>{_who(group)}</span>'
            f"<code>{bounded(_code(group), 200)}</code></div>{compared}"
            f"{_raws(group, name, logprobs)}</div></article>"
        )


def _passes(group: AnswerGroup) -> bool:
    return group.published is not None and group.published.passed


def _verdicts(group: AnswerGroup, graded: GradedTask) -> str:
    style, word = verdict_word(group.output_group)
    published = f'<span class="both">published key <span class="v {style}">{word}</span></span>'
    if graded.proposed_key is None or graded.key_error:
        return published
    style, word = proposed_word(group)
    return f'{published}<span class="both">proposed <span class="v {style}">{word}</span></span>'


def proposed_word(group: AnswerGroup) -> tuple[str, str]:
    """Style and word of a group's grade under the proposed key."""
    if group.proposed is None:
        return "none", "No grade"
    return verdict_word(replace(group.output_group, grade=group.proposed))


def _mark(group: AnswerGroup) -> str:
    if not group.signature:
        return ""
    short = attribute(group.signature[:SIGNATURE])
    title = attribute(f"Failure signature {group.signature}: the same failure has the same mark")
    return f'<code class="sig" title="{title}">failure {short}</code>'


def _code(group: AnswerGroup) -> str:
    return group.published.reason_code if group.published is not None else ""


def _who(group: AnswerGroup) -> str:
    tally = Counter(v.model for v in group.verdicts)
    return ", ".join(f"<bdi>{bounded(model, 120)}</bdi> × {n}" for model, n in tally.items())


def _fold(name: str, part: str, summary: str, body: str) -> str:
    return (
        f'<details class="tool" data-fold="{attribute(f"{name}/{part}")}">'
        f"<summary>{summary}</summary>{body}</details>"
    )


def _raws(
    group: AnswerGroup,
    name: str,
    logprobs: Mapping[str, Sequence[TokenLogprob]],
) -> str:
    shown = group.verdicts[:_MOST_RAW]
    limit = limit_for(len(shown), 60_000)
    rows = "".join(_raw(v, limit, logprobs.get(v.trial.id)) for v in shown)
    left = len(group.verdicts) - len(shown)
    more = f'<p class="omit">and {left} more with the same answer</p>' if left else ""
    title = counted(group.count, "raw answer")
    return _fold(name, "raw", title, rows + more)


def _raw(verdict: TrialVerdict, limit: int, tokens: Sequence[TokenLogprob] | None) -> str:
    trial = verdict.trial
    text = as_text(trial.output)
    head = f"<span><bdi>{bounded(verdict.model, 120)}</bdi>, trial {trial.trial}</span>"
    size = counted(len(text), "character")
    asking = ""
    if tokens is None and trial.has_logprobs:
        what = attribute(f"logprobs:{trial.id}")
        asking = (
            f'<button type="button" class="btn sm" data-ask="{what}">Log-probabilities</button>'
        )
    body = bounded(text, limit) if text else '<span class="omit">empty</span>'
    return (
        f'<div class="count">{head}<span class="meta">{size}</span>{asking}</div>'
        f'{token_row(tokens) if tokens is not None else ""}<div class="rawtext pre" dir="auto" '
        f'tabindex="0" role="region" aria-label="Raw answer of trial {trial.trial}">{body}</div>'
    )


def token_row(tokens: Sequence[TokenLogprob]) -> str:
    """Every token with its log-probability, and the likeliest ones at its place on pointing."""
    if not tokens:
        return '<p class="omit">The endpoint gave none.</p>'
    shown = "".join(_token(token) for token in tokens[:_MOST_TOKENS])
    left = len(tokens) - _MOST_TOKENS
    more = f'<span class="omit">and {left} more</span>' if left > 0 else ""
    return (
        '<p class="meta">Log-probability (natural logarithm) of each token of the last answer'
        f'</p><div class="tokens">{shown}{more}</div>'
    )


def _token(token: TokenLogprob) -> str:
    top = ", ".join(f"{text!r} {logprob:.2f}" for text, logprob in token.top)
    title = f' title="{attribute(f"Likeliest here: {top}")}"' if top else ""
    return f"<span{title}><bdi>{literal(token.token)}</bdi><b>{token.logprob:.2f}</b></span>"


def _errors(groups: Iterable[AnswerGroup]) -> str:
    """Trials without an answer, by kind and reason: never among the wrong ones."""
    tally = Counter((v.status, v.trial.error) for group in groups for v in group.verdicts)
    if not tally:
        return ""
    rows = "".join(
        f'<li><span class="cnt">{number}</span><span class="v err">{_WITHOUT[status]}</span>'
        f'<span dir="auto">{bounded(error, 600)}</span></li>'
        for (status, error), number in tally.most_common(20)
    )
    return (
        '<div class="apart"><div class="ph"><h2>Without an answer</h2><span class="meta">'
        f"{counted(sum(tally.values()), 'trial')}: errors, never counted as wrong answers</span>"
        f"</div><ul>{rows}</ul></div>"
    )
