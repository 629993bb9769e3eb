-- Operators group as Futhark's grammar says, not as its manual does.
-- ==
-- input { 7 3 2 } output { 1 13 -4 8 true 5 }
def twice (x: i32) = x * 2
def negate (x: i32) = -x
entry main (a: i32) (b: i32) (c: i32) =
  (a - b - b,              -- to the left
   a + b * c,              -- * before +
   c - twice b |> (+ 0),   -- application, then -, then |>
   -c ** 3 |> negate,      -- (-c) ** 3
   a == b + c * c && b > c || false,
   a & b + c)              -- + before &
