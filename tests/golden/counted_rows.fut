-- Rows of a filter's elements are summed by an invocation each: the host does not wait for their
-- number.

entry main [n] [k] (levels: [n]i32) (cols: [n][k]i64) (vals: [n][k]f32) (b: [n]f32) (depth: i64) : [n]f32 =
  loop x = copy b
  for l < depth do
    let rows = filter (\i -> levels[i] == i32.i64 l) (iota n)
    let sums =
      map (\i ->
             if levels[i] < 0
             then 0
             else b[i] - f32.sum (map2 (\c v -> v * x[c]) cols[i] vals[i]))
          rows
    in scatter x rows sums
