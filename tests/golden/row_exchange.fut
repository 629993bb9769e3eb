-- The row at a place that only the device knows is copied once, and the place checked where it is found.
entry main [n] [m] (xss: *[n][m]f32) : [n][m]f32 =
  loop xss for i < n do
    let (p, _) =
      reduce_comm (\(i, x) (j, y) -> if x > y || (x == y && i < j) then (i, x) else (j, y))
                  (n, -1f32)
                  (map (\r -> (r, if r >= i then f32.abs xss[r, 0] else -1)) (iota n))
    let a = copy xss[i]
    let b = copy xss[p]
    let xss = xss with [i] = b
    in xss with [p] = a
