-- One of two sizes, by an element: the host knows the larger one.
entry main (n: i64) : []bool =
  let (_, flags) =
    loop (p, flags) = (2, replicate (n + 1) true)
    while p * p <= n do
      let m = if flags[p] then n / p - 1 else 0
      in (p + 1, scatter flags (map (\i -> (i + 2) * p) (iota m)) (replicate m false))
  in flags
