-- The number of a matrix's elements is an argument of the workgroups' kernels: lanes count elements
-- in 32 bits (t = n * n of the host, of which the narrow kernel knows that it is short).
def main [b] [n] (as: [b][n][n]i32) : [b][n][n]i32 =
  #[incremental_flattening(only_intra)]
  map (\a -> loop a for i < n do map (map (\x -> x * 3 + a[i, i])) a) as
