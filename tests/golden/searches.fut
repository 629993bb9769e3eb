-- Kernels know how the host computed their scalars: the end of the search, and whether it starts.
-- No index has a check.
entry main [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i32 =
  let search v =
    let (_, _, found) =
      loop (lo, hi, found) = (0, n - 1, -1)
      while lo <= hi && found < 0 do
        let mid = (lo + hi) / 2
        in if xs[mid] == v
           then (lo, hi, mid)
           else if xs[mid] < v then (mid + 1, hi, found) else (lo, mid - 1, found)
    in if found >= 0 then xs[found] else -1
  in map search vs
