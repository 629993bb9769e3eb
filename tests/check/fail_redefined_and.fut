-- `&&` is no function.
-- ==
-- error: \[H2001]
def (&&) (a: bool) (b: bool) = a
