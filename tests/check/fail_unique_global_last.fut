-- The mark is at the expression behind the `let`s, not at the first of them.
-- ==
-- error: may share the memory of the definition `table`.*fail_unique_global_last.fut:9:6
def table = [1i32, 2, 3]

def main (k: i32) =
  let n = k + 1
  let xs = table
  in (n, xs)
