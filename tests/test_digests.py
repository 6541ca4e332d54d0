"""One seed is one run, to the bit; what a change has changed is in no digest by accident."""

from tests import digests


def test_a_run_is_what_it_was(digested):
    assert digests.digest(digested) == digests.kept()[digested], (
        f"{digested} was played otherwise; if that is meant: python -m tests.digests --write"
    )


def test_a_digest_of_every_run_is_kept_and_no_other():
    assert list(digests.kept()) == digests.names()
