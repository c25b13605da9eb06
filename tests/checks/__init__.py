"""What every game must pass, as functions over a case: the conformance tests use them on all games, and
test_the_tests.py on toys with planted faults.  A check raises AssertionError where a game fails it."""
