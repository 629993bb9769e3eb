-- A while loop of counted sizes: iterations start ahead where there is room, a copy of the loop waits.

entry main [n] [m] (from: [m]i64) (to: [m]i64) (start: [n]bool) : [n]i32 =
  let (found, _, _) =
    loop (found, fresh, d) = (map i32.bool start, start, 2i32)
    while or fresh do
      let used = filter (\e -> fresh[from[e]]) (iota m)
      let next =
        reduce_by_index (copy found)
                        i32.max
                        0
                        (map (\e -> to[e]) used)
                        (map (const d) used)
      in (next, map2 (!=) found next, d + 1)
  in found
