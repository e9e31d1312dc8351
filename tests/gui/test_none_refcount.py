"""PySide6 6.12 loses a reference to None with every void call on Python before 3.12 and dies after some thousands."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_void_calls_keep_the_references_to_none() -> None:
    thing = QObject()
    before = sys.getrefcount(None)
    for number in range(1000):
        thing.setObjectName(str(number))
    assert abs(sys.getrefcount(None) - before) <= 50
