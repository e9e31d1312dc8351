"""What may be spent: exact amounts, one cap per account, reservations, two people to raise a cap."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from workbench.errors import DatasetRenamed, InsufficientAllowance, LedgerError
from workbench.ledger.accounts import Account
from workbench.ledger.book import SALT, open_ledger
from workbench.ledger.entries import EntryKind, Head

OTHER = Account("Graduates 2020", "worker", "formal DP (pure)")


def kinds(ledger):
    return [entry.kind.value for entry in ledger.entries()]


def test_an_account_is_titled_by_data_protection_and_claim(account):
    assert account.title == "Jobs frame 2025, worker, formal DP (pure)"


@pytest.mark.parametrize("names", [("", "worker", "pure"), ("Jobs", "", "pure"), ("Jobs", "worker", "")])
def test_an_account_needs_all_its_names(names):
    with pytest.raises(ValueError, match="an account names"):
        Account(*names)


def test_a_new_ledger_is_empty_and_verifies(ledger, account):
    assert ledger.entries() == ledger.balances() == ()
    assert ledger.balance(account) is None
    assert ledger.head() == ledger.verify() == Head(0, "0" * 64)


def test_the_first_charge_opens_the_data_set_and_its_cap(ledger, account, charge):
    paid = charge(ledger, "2.5", dataset_sha256="ab12")
    opening, cap, draw = ledger.entries()
    assert [opening.kind, cap.kind, draw.kind] == [EntryKind.OPEN_DATASET, EntryKind.SET_CAP, EntryKind.DRAW]
    assert opening.fact("sha256") == "ab12"
    assert (cap.epsilon, draw.epsilon) == (Fraction(8), Fraction("2.5"))
    assert draw == paid
    assert ledger.head() == Head(3, paid.hash)
    assert (paid.time, paid.by, paid.about) == ("2025-10-06T12:00:00Z", "A. Moreno", "Jobs by place")
    assert (paid.release, paid.account) == ("jobs-2025q2-r1", account)


def test_three_spends_of_a_tenth_fit_a_cap_of_three_tenths_and_not_a_billionth_more(ledger, account, charge):
    for _ in range(3):
        charge(ledger, "0.1", cap="0.3")
    with pytest.raises(InsufficientAllowance, match=r"has 0 of 0\.3 left; this release asks for 0\.000000001\."):
        charge(ledger, "0.000000001", cap="0.3")
    assert ledger.balance(account).remaining == 0
    assert ledger.balance(account).spent == Fraction(3, 10)


def test_thirds_are_kept_exactly(ledger, account, charge):
    for _ in range(3):
        charge(ledger, "1/3", cap="1")
    assert ledger.balance(account).spent == 1


def test_a_refusal_is_recorded_and_costs_nothing(ledger, account, charge):
    charge(ledger, "3")
    with pytest.raises(InsufficientAllowance) as refusal:
        charge(ledger, "6", about="Jobs by block")
    assert (refusal.value.asked, refusal.value.remaining, refusal.value.cap) == ("6", "5", "8")
    entry = ledger.entries()[-1]
    assert (entry.kind, entry.about) == (EntryKind.REFUSE, "Jobs by block: asked 6, 5 left")
    assert (entry.epsilon, entry.account, entry.release) == (0, account, "jobs-2025q2-r1")
    assert ledger.balance(account).remaining == 5


def test_a_refused_first_charge_leaves_the_account_open_and_unspent(ledger, account, charge):
    with pytest.raises(InsufficientAllowance):
        charge(ledger, "9")
    assert kinds(ledger) == ["open-dataset", "set-cap", "refuse"]
    assert ledger.balance(account).remaining == 8


def test_an_open_account_keeps_its_own_cap(ledger, account, charge):
    charge(ledger, "7", cap="8")
    with pytest.raises(InsufficientAllowance):
        charge(ledger, "2", cap="1000")
    assert ledger.balance(account).cap == 8


def test_accounts_pay_separately(ledger, account, charge):
    for own in (account, Account(account.dataset, "employer", account.claim), OTHER):
        charge(ledger, "8", account=own)
    assert [balance.spent for balance in ledger.balances()] == [8, 8, 8]
    assert kinds(ledger).count("set-cap") == 3


def test_delta_is_added_up_beside_epsilon(ledger, account):
    for delta in ("0.000001", "0.000002"):
        ledger.charge(
            account, 1, Fraction(delta), cap=8, dataset_sha256="ab", by="A. Moreno", about="Jobs", release="r1"
        )
    assert ledger.balance(account).delta_spent == Fraction("0.000003")
    assert [entry.delta for entry in ledger.entries() if entry.kind == "set-cap"] == [0]


def test_the_same_data_under_another_name_is_refused(ledger, account, charge):
    charge(ledger, "8", dataset_sha256="ab12")
    renamed = Account("Jobs frame 2025 (copy)", account.protection, account.claim)
    with pytest.raises(DatasetRenamed, match="is already in the ledger as “Jobs frame 2025”"):
        charge(ledger, "1", account=renamed, dataset_sha256="ab12")
    assert ledger.balance(renamed) is None
    refusal = ledger.entries()[-1]
    assert (refusal.kind, refusal.account, refusal.release) == (EntryKind.REFUSE, renamed, "jobs-2025q2-r1")
    assert "already in the ledger" in refusal.about


def test_the_same_data_under_the_name_of_another_open_account_is_refused(ledger, charge):
    charge(ledger, "1", dataset_sha256="ab12")
    charge(ledger, "1", account=OTHER, dataset_sha256="cd34")
    with pytest.raises(DatasetRenamed):
        charge(ledger, "1", account=OTHER, dataset_sha256="ab12")
    assert ledger.balance(OTHER).spent == 1


def test_corrected_data_under_the_same_name_draws_on_the_same_account(ledger, account, charge):
    charge(ledger, "5", dataset_sha256="ab12")
    charge(ledger, "3", dataset_sha256="cd34")
    assert kinds(ledger) == ["open-dataset", "set-cap", "draw", "open-dataset", "draw"]
    assert ledger.balance(account).remaining == 0
    renamed = Account("Jobs again", account.protection, account.claim)
    with pytest.raises(DatasetRenamed):
        charge(ledger, "1", account=renamed, dataset_sha256="cd34")


def reserve(ledger, account, epsilon, release):
    return ledger.append(
        EntryKind.RESERVE, account=account, epsilon=Fraction(epsilon), by="A. Moreno", about="2025 Q3", release=release
    )


def test_a_reservation_keeps_others_out_and_its_own_release_in(ledger, account, charge):
    charge(ledger, "3.5")
    reserve(ledger, account, "2", "jobs-2025q3-r1")
    balance = ledger.balance(account)
    assert (balance.spent, balance.reserved, balance.remaining) == (Fraction("3.5"), 2, Fraction("2.5"))
    with pytest.raises(InsufficientAllowance, match=r"has 2\.5 of 8 left; this release asks for 3"):
        charge(ledger, "3", release="pilot")
    charge(ledger, "4.5", release="jobs-2025q3-r1")
    balance = ledger.balance(account)
    assert (balance.spent, balance.reserved, balance.remaining) == (8, 0, 0)


def test_a_reservation_ends_with_its_draw_even_when_less_was_drawn(ledger, account, charge):
    charge(ledger, "1")
    reserve(ledger, account, "5", "r2")
    charge(ledger, "1", release="r2")
    assert (ledger.balance(account).reserved, ledger.balance(account).remaining) == (0, 6)


def test_a_later_reservation_replaces_the_earlier_and_zero_lifts_it(ledger, account, charge):
    charge(ledger, "1")
    for amount, left in (("5", 2), ("7", 0), ("0", 7)):
        reserve(ledger, account, amount, "r2")
        assert ledger.balance(account).remaining == left


def test_more_than_is_left_cannot_be_reserved(ledger, account, charge):
    charge(ledger, "1")
    reserve(ledger, account, "5", "r2")
    with pytest.raises(InsufficientAllowance, match="has 2 of 8 left"):
        reserve(ledger, account, "2.1", "r3")
    assert kinds(ledger)[-1] == "refuse"


def set_cap(ledger, account, cap, **facts):
    return ledger.append(
        EntryKind.SET_CAP,
        account=account,
        epsilon=Fraction(cap),
        by="A. Moreno",
        about="Board of 6 October",
        facts=facts,
    )


def test_one_person_may_lower_a_cap(ledger, account, charge):
    charge(ledger, "3")
    set_cap(ledger, account, "4")
    with pytest.raises(InsufficientAllowance, match="has 1 of 4 left"):
        charge(ledger, "2")


def test_a_cap_below_what_is_spent_freezes_the_account(ledger, account, charge):
    charge(ledger, "3")
    set_cap(ledger, account, "0")
    assert ledger.balance(account).remaining == 0
    with pytest.raises(InsufficientAllowance, match="has 0 of 0 left"):
        charge(ledger, "0.1")
    assert ledger.verify() == ledger.head()


@pytest.mark.parametrize("facts", [{}, {"agreed-by": ""}, {"agreed-by": "A. Moreno"}])
def test_one_person_may_not_raise_a_cap(ledger, account, charge, facts):
    charge(ledger, "3")
    with pytest.raises(LedgerError, match="from 8 to 10 takes two people"):
        set_cap(ledger, account, "10", **facts)
    assert ledger.balance(account).cap == 8
    assert kinds(ledger)[-1] == "refuse"


def test_two_people_may_raise_a_cap(ledger, account, charge):
    charge(ledger, "8")
    set_cap(ledger, account, "10", **{"agreed-by": "J. Okafor"})
    charge(ledger, "2")
    assert ledger.balance(account).remaining == 0
    assert ledger.verify() == ledger.head()


def test_a_cap_can_be_set_before_the_first_charge(ledger, account, charge):
    set_cap(ledger, account, "2")
    charge(ledger, "1.5", cap="8")
    assert ledger.balance(account).remaining == Fraction("0.5")


def test_nothing_can_be_reserved_in_an_account_without_a_cap(ledger, account):
    with pytest.raises(LedgerError, match="has no cap yet"):
        reserve(ledger, account, "1", "r1")


@pytest.mark.parametrize("kind", sorted(set(EntryKind) - {EntryKind.DRAW, EntryKind.RESERVE, EntryKind.SET_CAP}))
def test_no_other_entry_changes_a_balance(ledger, account, charge, kind):
    charge(ledger, "3", dataset_sha256="ab")
    before = ledger.balances()
    entry = ledger.append(kind, account=account, epsilon=2, by="J. Okafor", about="Pilot", facts={"sha256": "ab"})
    assert ledger.entries()[-1] == entry
    assert ledger.balances() == before


def test_facts_come_back_as_they_were_given(ledger):
    given = {"reason": "“naïve” \\ rounding\n", "fingerprint": "", "α": "0.1"}
    ledger.append(EntryKind.WAIVE, by="J. Okafor", about="Überprüfung", facts=given)
    (entry,) = ledger.entries()
    assert {name: fact for name, fact in entry.facts if name != SALT} == given
    assert entry.fact("α") == "0.1"
    assert entry.fact("unknown") == ""
    assert entry.account is None


def test_equal_acts_at_the_same_time_have_different_hashes(tmp_path):
    """The printed head must not let anybody test guesses about the entries behind it."""
    heads = []
    for name in ("first", "second"):
        with open_ledger(tmp_path / name, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as ledger:
            heads.append(ledger.append(EntryKind.PROPOSE, by="A. Moreno", about="Jobs").hash)
    assert heads[0] != heads[1]


@pytest.mark.parametrize("amount", [-1, Fraction(-1, 10)])
def test_no_amount_gives_budget_back(ledger, account, amount):
    with pytest.raises(ValueError, match="would give budget back"):
        ledger.charge(account, amount, cap=8, dataset_sha256="ab", by="A", about="B", release="r1")
    assert ledger.entries() == ()


def test_floats_are_not_amounts(ledger, account):
    with pytest.raises(TypeError, match="never floats"):
        ledger.charge(account, 0.1, cap=8, dataset_sha256="ab", by="A", about="B", release="r1")


def test_a_draw_cannot_be_recorded_without_paying(ledger, account):
    with pytest.raises(ValueError, match="paid for with charge"):
        ledger.append(EntryKind.DRAW, account=account, epsilon=1, by="A", about="B")


def test_a_cap_belongs_to_an_account(ledger):
    with pytest.raises(ValueError, match="always about an account"):
        ledger.append(EntryKind.SET_CAP, epsilon=1, by="A", about="B")


def test_several_threads_may_share_one_ledger(ledger, account, charge):
    charge(ledger, "0", cap="1")

    def spend(turn):
        try:
            charge(ledger, "0.1", release=f"r{turn}")
        except InsufficientAllowance:
            return 0
        return 1

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(spend, range(24))) == 10
    assert ledger.balance(account).remaining == 0
    assert ledger.verify() == ledger.head()
