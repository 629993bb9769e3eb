-- Functions in the fields of a constant take arrays of any size, each of them one size and type.
-- ==
-- input { 0i64 2i64 } output { empty([0]i64) [1i64, 0i64] [[true], [false]] }
def turn =
  let back = reverse
  in {back, across = transpose}

def use (turns: {back: [0]i64 -> [0]i64, across: [1][2]bool -> [2][1]bool}) xs =
  (turns.back xs, turns.across [[true, false]])

entry main (n: i64) (m: i64) =
  let (nothing, column) = use turn (iota n :> [0]i64)
  let ones = (\t -> (t.back (iota m), t.across [[1]])) turn
  in (nothing, ones.0, column)
