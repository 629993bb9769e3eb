-- Loops that carry records of arrays.
-- tolerance: exact
-- ==
-- input { 3i64 }
-- output { [3i64, 6i64, 4i64] 5i64 [6i64, 2i64, 4i64, 3i64] }
entry main (n: i64) =
  let st =
    loop st = {xs = iota n, cnt = 0i64, hist = replicate 4 0i64}
    for i < 5 do
      let j = i % n
      let v = st.xs[j] + i
      let xs = copy st.xs with [j] = v
      let hist = copy st.hist with [i % 4] = v
      in {xs, cnt = st.cnt + 1, hist}
  in (st.xs, st.cnt, st.hist)
