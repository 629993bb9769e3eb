-- Both arms make the row in one private place, and sum its few elements one by one: no iteration asks for memory.
def main [n] (xs: [n]f64) : f64 =
  loop s = 0
  for x in xs do
    let row = if x > s then map (+ x) (iota 3 |> map f64.i64) else replicate 3 s
    in row[i64.f64 x % 3] * 0.5 + f64.sum row
