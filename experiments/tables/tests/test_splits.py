"""The splits are a definition: they may never change."""

import numpy as np
import pytest

from tables.splits import split_rows


@pytest.mark.parametrize("rows,number", [(1030, 0), (20640, 2), (25, 4)])
def test_parts_are_those_of_the_definition(rows, number):
    order = list(np.random.RandomState(100 + number).permutation(rows))
    test = rows // 10
    valid = (rows - rows // 10) // 10
    split = split_rows(rows, number)
    assert list(split.test) == order[:test]
    assert list(split.valid) == order[test:][:valid]
    assert list(split.train) == order[test:][valid:]


def test_every_row_is_in_one_part():
    split = split_rows(137, 1)
    assert sorted(np.concatenate([split.train, split.valid, split.test])) == list(range(137))


def test_first_rows_are_known():
    assert list(split_rows(1030, 0).test[:5]) == [173, 134, 822, 264, 479]


def test_too_few_rows_are_refused():
    with pytest.raises(ValueError, match="at least 20"):
        split_rows(19, 0)
