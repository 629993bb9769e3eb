-- The condition of `while` is a carried bool, evaluated before the loop and at the end of its body.
def main (n: i64) : (i64, i32) =
  loop (x, steps) = (n, 0)
  while x > 1 do
    (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)
