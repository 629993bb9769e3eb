-- Stencils whose rows share neighbours are done several rows at a time: from no row to nine, with
-- every kind of boundary, also inside of a third axis.
-- tolerance: exact
-- ==
-- input { 0i64 3i64 } auto output
-- input { 1i64 1i64 } auto output
-- input { 2i64 40i64 } auto output
-- input { 3i64 20i64 } auto output
-- input { 4i64 70i64 } auto output
-- input { 5i64 2i64 } auto output
-- input { 7i64 33i64 } auto output
-- input { 8i64 66i64 } auto output
-- input { 9i64 130i64 } auto output
def cross [k] (v: [k]i32) : i32 = v[0] - 3 * v[1] ^ v[2] + 5 * v[3]

entry main (n: i64) (m: i64) =
  let xs = tabulate_2d n m (\i j -> i32.i64 (i * 7919 + j * 104729) % 1009)
  let offsets = [(-1, 0), (0, 1), (2, -1), (0, 0)]
  let a = stencil_2d offsets (\() v -> cross v) (rep (rep ())) xs
  let b = stencil_2d_with (#constant 10, #mirror) offsets (\() v -> cross v) (rep (rep ())) xs
  let c = stencil_2d_with (#wrap, #wrap) offsets (\p v -> p * cross v) a xs
  let solid = replicate 2 xs
  let d =
    stencil_3d [(1, 0, 0), (0, -1, 0), (0, 2, 1), (0, 0, 0)]
               (\() v -> cross v)
               (rep (rep (rep ())))
               solid
  in (a, b, c, d)
