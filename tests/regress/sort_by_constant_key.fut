-- Keys, or elements, that kernels compute instead of reading them from memory: the gpu's sort, which
-- moves elements along with their keys, ended the process.
-- ==
-- entry: keys elements
-- input { [3i64, 1i64] } output { 4i64 }
-- input { empty([0]i64) } output { 0i64 }
entry keys [n] (xs: [n]i64) : i64 = i64.sum (i64.sort_by_key (\_ -> 1i64) xs)

entry elements [n] (xs: [n]i64) : i64 =
  let ys = replicate n 2i64
  in i64.sum (i64.sort_by_key (\y -> y * 3) ys)
