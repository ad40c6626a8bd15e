"""The address of the page Browse: what it says is what is shown, and it can be shared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.services.browsing import TaskQuery
from audit_app.ui.browse_address import BrowseAddress, parameters_of

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
addresses = st.builds(
    BrowseAddress,
    query=st.builds(TaskQuery, text=texts, category=texts, group=texts),
    page=st.integers(1, 10**8),
    task=texts,
    benchmark=texts,
    whole=st.booleans(),
    kept=st.dictionaries(st.sampled_from(["audit", "as"]), texts.filter(bool), max_size=2),
)


@given(addresses)
def test_a_link_leads_to_the_very_same_address(address: BrowseAddress) -> None:
    assert BrowseAddress.of(parameters_of(address.link)) == address


def test_a_link_to_a_task_keeps_query_and_audit() -> None:
    address = BrowseAddress.of({"audit": "a b", "as": "bo", "q": "x&y", "page": "3", "task": "old"})
    assert address.at(task="t/1 ü") == "?audit=a+b&as=bo&q=x%26y&task=t%2F1+%C3%BC"
    assert address.at(page=2) == "?audit=a+b&as=bo&q=x%26y&page=2"


@pytest.mark.parametrize("page", ["", "0x1", "-2", "½", "٣", "9" * 30, "one"])
def test_what_is_no_page_is_the_first_one(page: str) -> None:
    assert BrowseAddress.of({"page": page}).page == 1
