-- The check of a read that nothing uses stays, as a branch without results, beside reads of neighbours: the
-- stencil made of them asked for its first result (SIGSEGV in the compiler).
-- ==
-- input { [1, 2, 3, 4, 5, 6] } output { [0, 1, 2, 3, 4, 5] }
-- input { [1] } output { [0] }
-- input { empty([0]i32) } output { empty([0]i32) }
def main [n] (xs: [n]i32) =
  tabulate n (\i ->
                let before = if i == 0 then 0 else xs[i - 1]
                let _behind = if i + 2 >= n then 5 else xs[i + 2]
                in before)
