"""Options of the tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matches", type=int, default=50, metavar="N", help="how many whole matches are played and judged")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "match_number" in metafunc.fixturenames:
        metafunc.parametrize("match_number", range(metafunc.config.getoption("matches")), scope="module")
