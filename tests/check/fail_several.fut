-- Several errors are reported in one run, and one mistake is reported once.
-- ==
-- error: unknown name `foo`.*an operand of `\+` has type `bool`.*unknown name `bar`
def f (x: i32) : i32 = (foo x) + 1
def g (x: bool) = x + 1
def main (x: i32) : i32 = bar (f x)
