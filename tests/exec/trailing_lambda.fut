-- A lambda needs no parentheses as the last argument, nor what an `assert` guards.
-- ==
-- input { [3, 1, 2] }
-- output { [6, 2, 4] [9, 1, 4] 6i32 [1, 2] 7 }

def apply 'a 'b (x: a) (f: a -> b) : b = f x

def main [n] (xs: [n]i32) =
  let doubled = tabulate n \i -> 2 * xs[i]
  let squares: [n]i32 = map2 (*) xs xs |> map \x : i32 -> x
  let sum =
    apply xs \ys ->
      let total = i32.sum ys
      in total
  let checked = assert (n > 1) take 2 (copy xs with [0] = 1 with [1] = 2)
  let last = assert (n > 2) let y = xs[n - 1] in y + 5
  in (doubled, squares, sum, checked, last)
