-- The arms of a branch of the host, by the number of nodes, write the arrays of a loop that ends by a
-- kernel's total: none is copied.
entry main [n] (adj: [n][n]i32) : [n]i32 =
  let (dist, _, _) =
    loop (dist, front, d) = (map (\i -> if i == 0 then 0i32 else -1) (iota n), map (== 0) (iota n), 0i32)
    while or front do
      let next =
        map (\row ->
               let most = i32.maximum row
               in i32.sum (map2 (\a f -> if f && 2 * a > most then 1 else 0) row front) > 0)
            adj
      let next = map2 (\x f -> f && x < 0) dist next
      in (map2 (\x f -> if f then d + 1 else x) dist next, next, d + 1)
  in dist
