-- A lifted type parameter stands for arrays and functions of their sizes: arrays without contents
-- tell the sizes of parameters.
-- ==
-- input { 2i64 3i64 } output { 6i64 }
def sized_sum (n: i64) (m: i64) : ([n][m](), [n][m]i64 -> i64) =
  (replicate n (replicate m ()), \b -> i64.sum (map i64.sum b))

def main (n: i64) (m: i64) : i64 =
  let (witness, sum) = uncurry sized_sum (n, m)
  in sum (map (map (const 1)) witness)
