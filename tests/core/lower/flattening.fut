-- Attributes reach the outermost SOACs of their expression: through lambdas applied later, calls and
-- the prelude, and no deeper; of others nothing is kept.
def inner [n] (f: i32 -> i32) (xs: [n]i32) = i32.sum (map f xs)

def main [n] [m] (xss: [n][m]i32) =
  let a = #[sequential_inner] map (\xs -> inner (+ 1) xs) xss
  let b = xss[0] |> #[sequential] map (+ 2)
  let c = #[sequential_outer] inner (+ 3) xss[0]
  let d =
    #[incremental_flattening(only_intra)]
    #[flattening( no_outer )]
    scatter (replicate n 0) (iota n) a
  let e = #[unroll] #[no_outer] #[flattening(sequential)] map (+ 1) b
  in (b, c, d, e)
