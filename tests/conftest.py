"""Set-up for all tests: the shared checks explain their failures like tests do."""

import pytest

pytest.register_assert_rewrite("checks", "oracle", "golden")
