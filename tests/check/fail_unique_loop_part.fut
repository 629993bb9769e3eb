-- A row of a carried array is given back beside it.
-- ==
-- error: gives back `arr` twice
def main (n: i64) : ([]i64, [][]i64) =
  loop (acc, arr) = (iota n, replicate n (iota n))
  for i < n - 1 do
    let arr[i] = acc
    in (arr[i + 1], arr)
