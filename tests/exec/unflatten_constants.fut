-- The factors of a product of constants are rows and columns as they are written.
-- ==
-- input { [1, 2, 3, 4, 5, 6, 7, 8] } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] [[1, 2, 3, 4], [5, 6, 7, 8]] 24i64 3i64 }
def main (xs: []i32) =
  let cubes = unflatten_3d (iota (2 * 3 * 4))
  in (unflatten (iota (2 * 3)), copy (unflatten (xs :> [2 * 4]i32)), length (flatten_3d cubes), length cubes[0])
