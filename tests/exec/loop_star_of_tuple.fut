-- A part of a `*` tuple that no step consumes may begin with what may not be consumed.
-- ==
-- input { [1, 2, 3] } output { [0, 0, 0] 2i32 [1, 2, 3] }
def f [n] (arr: [n]i32) =
  loop (u: *[n]i32, e: *[]i32, k) = (replicate n 0, arr, 0i32)
  while length e > 1 do
    (u, filter (> k + 1) e, k + 1)

entry main [n] (arr: [n]i32) = let (u, _, k) = f arr in (u, k, arr)
