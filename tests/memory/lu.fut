-- LU decomposition written as a new matrix for each step: in place, after a copy of the row that all need.
-- in loops: copy 1
entry main [n] (a: [n][n]f32) : [n][n]f32 =
  loop a = map2 (\i -> map2 (\j x -> if i == j then x + 512 else x) (iota n)) (iota n) a
  for k < n do
    let pivot = a[k, k]
    let column = map (\i -> if i > k then a[i, k] / pivot else 0) (iota n)
    let row = copy a[k]
    in map2 (\i r ->
               map3 (\j x y ->
                       if i <= k || j < k
                       then x
                       else if j == k then column[i] else x - column[i] * y)
                    (iota n)
                    r
                    row)
            (iota n)
            a
