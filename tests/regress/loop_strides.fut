-- Strides of an array whose size changes are those of the step. Products of extents, from rank
-- three on, were computed once in front of the loop.

def first (a: i64) (b: i64) (c: i64) = tabulate_3d a b c (\i j k -> i + 10 * j + 100 * k)

-- ==
-- entry: cubes
-- input { 0i64 } output { 8i64 888i64 }
-- input { 1i64 } output { 64i64 7104i64 }
-- input { 2i64 } output { 512i64 56832i64 }
entry cubes (c: i64) =
  let (_, z) =
    loop (m, z) = (2, first 2 2 2)
    for _k < c do
      (m * 2, tabulate_3d (m * 2) (m * 2) (m * 2) (\i j k -> z[i / 2, j / 2, k / 2]))
  in (length (flatten_3d z), i64.sum (flatten_3d z) * 2)

-- Until it is large enough; the sides differ.
-- ==
-- entry: sides
-- input { 1i64 } output { [[[0i64], [10i64]]] }
-- input { 7i64 } output { [[[0i64, 0i64, 0i64, 0i64], [10i64, 10i64, 10i64, 10i64]], [[0i64, 0i64, 0i64, 0i64], [10i64, 10i64, 10i64, 10i64]], [[0i64, 0i64, 0i64, 0i64], [10i64, 10i64, 10i64, 10i64]]] }
entry sides (least: i64) =
  let (_, _, z) =
    loop (a, c, z) = (1, 1, first 1 2 1)
    while a * c < least do
      (a + 1, c * 2, tabulate_3d (a + 1) 2 (c * 2) (\i j k -> z[i / 2, j, k / 2]))
  in z

-- ==
-- entry: cells
-- input { [0i64, 1i64, 2i64] } output { [444i64, 3552i64, 28416i64] }
entry cells (cs: []i64) = map (\c -> (cubes c).1 / 2) cs
