-- A cell that reads by index has a statement without results (an assert): the search for
-- neighbourhoods asked for its first one.
-- ==
-- input { 0i64 } output { 1u64 }
-- input { 5i64 } output { 1u64 }
def main (n: i64) =
  let bins =
    reduce_by_index (replicate 3 1u16)
                    (^)
                    0
                    (replicate n 1i64)
                    (exscan (+) 0 (replicate n 1u16))
  in (map (\(_: u16) -> 1u64) bins)[1]
