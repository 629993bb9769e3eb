-- A size argument that mentions what an argument of the same call binds: the size of `drop (n / 2) xs`.
-- ==
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { 15i64 [1i64, 1i64, 1i64, 1i64, 1i64] }
def total [n] (xs: [n]i64) : i64 =
  if n == 0 then 0 else if n == 1 then xs[0] else total (take (n / 2) xs) + total (drop (n / 2) xs)

def ones [n] (xs: [n]i64) : [n]i64 =
  if n <= 1
  then map (const 1) xs
  else (ones (take (n / 2) xs) ++ ones (drop (n / 2) xs)) :> [n]i64

entry main [n] (xs: [n]i64) = (total xs, ones xs)
