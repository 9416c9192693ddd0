"""The pages are held against the real services, started as the tests of services start them."""

from tests.services.conftest import all_services, child, roles

__all__ = ["all_services", "child", "roles"]
