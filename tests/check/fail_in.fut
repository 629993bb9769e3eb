-- A let without its `in`.
-- ==
-- error: expected `in` after the value of the `let`, found `def` \[H2001]
def f (x: i32) =
  let y = x + 1
def main = f 1
