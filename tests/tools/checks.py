"""Expectations of a test script: each that fails is printed, the others run on."""

_failed = []


def expect(holds, what):
    if not holds:
        _failed.append(what)
        print("FAIL", what)
    return holds


def failed():
    return len(_failed) > 0


def verdict():
    """The exit status, after a line that says it."""
    print("failed" if failed() else "passed")
    return 1 if failed() else 0
