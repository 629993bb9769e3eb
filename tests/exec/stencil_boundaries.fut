-- The four kinds of boundary: known, and picked at run time.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 4i32, 8i32, 16i32, 32i32] }
-- output { [9i32, 16i32, 31i32, 62i32, 92i32, 120i32] [10i32, 16i32, 31i32, 62i32, 92i32, 104i32] [55i32, 47i32, 31i32, 62i32, 61i32, 59i32] [207i32, 115i32, 31i32, 62i32, 160i32, 256i32] true }
def offsets: []i64 = [-2, -1, 0, 1, 2]
def five [n] (b: boundary i32) (xs: [n]i32): [n]i32 =
  stencil_1d_with b offsets (\() v -> i32.sum v) (rep ()) xs
def kind (k: i64): boundary i32 =
  match k case 0 -> #clamp case 1 -> #mirror case 2 -> #wrap case _ -> #constant 100

entry main [n] (xs: [n]i32) =
  let clamped = stencil_1d_with #clamp [-2, -1, 0, 1, 2] (\() v -> i32.sum v) (rep ()) xs
  let mirrored = stencil_1d_with #mirror [-2, -1, 0, 1, 2] (\() v -> i32.sum v) (rep ()) xs
  let wrapped = stencil_1d_with #wrap [-2, -1, 0, 1, 2] (\() v -> i32.sum v) (rep ()) xs
  let constant = stencil_1d_with (#constant 100) [-2, -1, 0, 1, 2] (\() v -> i32.sum v) (rep ()) xs
  let same = map2 (==) (map (\k -> five (kind k) xs) (iota 4)) [clamped, mirrored, wrapped, constant]
  in (clamped, mirrored, wrapped, constant, and same)
