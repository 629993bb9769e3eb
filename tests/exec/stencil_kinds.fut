-- Issue 10, part 1: what stencils must take, in one to three dimensions.
-- tolerance: exact

def line (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 ((i * 7) % 11))
def plane (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 11))

def cube (n: i64) (m: i64) (k: i64) : [n][m][k]i32 =
  tabulate_3d n m k (\a b c -> i32.i64 ((a * 3 + b * 5 + c * 7) % 11))

type cell = {height: i32, flow: (f32, bool)}
def cell (x: i32) : cell = {height = x, flow = (f32.i32 x / 4, x % 2 == 0)}
def weigh (c: cell) : f32 = f32.i32 c.height + (if c.flow.1 then c.flow.0 else 1)

-- ==
-- entry: records_1d fields_1d without_centre_1d wide_1d sparse_1d lopsided_1d other_type_1d
-- input { 0i64 }
-- input { 1i64 }
-- input { 2i64 }
-- input { 5i64 }
-- input { 97i64 }
entry records_1d (n: i64) =
  stencil_1d [-1, 0, 2] (\() v -> reduce (+) 0 (map weigh v)) (rep ()) (map cell (line n))

entry fields_1d (n: i64) =
  let out =
    stencil_1d [-1, 1]
               (\(p: cell) v -> {a = v[0].height - p.height, b = (v[1].flow.1, p.flow.0)})
               (map cell (line n))
               (map cell (line n))
  in (map (.a) out, map (.b.0) out, map (.b.1) out)

entry without_centre_1d (n: i64) = stencil_1d_with (#mirror) [-2, 3] (\() v -> v[0] - 2 * v[1]) (rep ()) (line n)

entry wide_1d (n: i64) =
  stencil_1d_with (#wrap) (map (\i -> i - 40) (iota 81)) (\() v -> i32.sum v) (rep ()) (line n)

entry sparse_1d (n: i64) = stencil_1d_with (#constant 5i32) [-1000, -3, 90, 2000] (\() v -> i32.sum v) (rep ()) (line n)
entry lopsided_1d (n: i64) = stencil_1d [3, 4, 9] (\() v -> v[0] * v[1] - v[2]) (rep ()) (line n)
entry other_type_1d (n: i64) = stencil_1d [-1, 1] (\() v -> (v[0] < v[1], i64.i32 v[0], f64.i32 v[1])) (rep ()) (line n) |> unzip3

-- ==
-- entry: records_2d without_centre_2d wide_2d sparse_2d lopsided_2d other_type_2d invariants_2d constants_2d
-- input { 0i64 0i64 }
-- input { 0i64 4i64 }
-- input { 3i64 0i64 }
-- input { 1i64 1i64 }
-- input { 2i64 3i64 }
-- input { 19i64 23i64 }
entry records_2d (n: i64) (m: i64) =
  stencil_2d_with (#wrap, #mirror)
                  [(-1, 0), (0, 0), (2, -1)]
                  (\() v -> reduce (+) 0 (map weigh v))
                  (rep (rep ()))
                  (map (map cell) (plane n m))

entry without_centre_2d (n: i64) (m: i64) =
  stencil_2d [(-1, -1), (1, 1), (0, 2)] (\() v -> v[0] - v[1] * v[2]) (rep (rep ())) (plane n m)

entry wide_2d (n: i64) (m: i64) =
  stencil_2d_with (#mirror, #wrap) (map (\i -> (i / 13 - 6, i % 13 - 6)) (iota 169)) (\() v -> i32.sum v) (rep (rep ())) (plane n m)

entry sparse_2d (n: i64) (m: i64) =
  stencil_2d_with (#constant 2i32, #clamp) [(-50, 0), (0, 70), (13, -90)] (\() v -> i32.sum v) (rep (rep ())) (plane n m)

entry lopsided_2d (n: i64) (m: i64) = stencil_2d [(2, 0), (5, 1), (0, 7)] (\() v -> v[0] * v[1] - v[2]) (rep (rep ())) (plane n m)

entry other_type_2d (n: i64) (m: i64) =
  stencil_2d [(0, -1), (1, 0)] (\() v -> if v[0] < v[1] then 1.5f64 else f64.i32 v[0]) (rep (rep ())) (plane n m)

entry invariants_2d (n: i64) (m: i64) =
  stencil_2d [(0, -1), (1, 0)]
             (\(p, q: {w: i8}) v -> p * v[0] - i32.i8 q.w * v[1])
             (map2 zip (plane n m) (map (map (\x -> {w = i8.i32 x})) (plane n m)))
             (plane n m)

entry constants_2d (n: i64) (m: i64) =
  let out =
    stencil_2d_with (#constant (cell 7), #constant (cell 2))
                    [(-1, 0), (0, 1)]
                    (\() v -> (v[0].height, v[1].flow.0))
                    (rep (rep ()))
                    (map (map cell) (plane n m))
  in (map (map (.0)) out, map (map (.1)) out)

-- ==
-- entry: records_3d without_centre_3d wide_3d sparse_3d invariants_3d
-- input { 0i64 2i64 3i64 }
-- input { 2i64 0i64 3i64 }
-- input { 2i64 3i64 0i64 }
-- input { 1i64 1i64 1i64 }
-- input { 2i64 3i64 2i64 }
-- input { 7i64 5i64 9i64 }
entry records_3d (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#wrap, #mirror, #clamp)
                  [(-1, 0, 0), (0, 0, 1), (2, -1, 0)]
                  (\() v -> reduce (+) 0 (map weigh v))
                  (rep (rep (rep ())))
                  (map (map (map cell)) (cube n m k))

entry without_centre_3d (n: i64) (m: i64) (k: i64) =
  stencil_3d [(-1, -1, 1), (1, 1, 0), (0, 2, 0)] (\() v -> v[0] - v[1] * v[2]) (rep (rep (rep ()))) (cube n m k)

entry wide_3d (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#mirror, #wrap, #constant 1i32)
                  (map (\i -> (i / 25 - 2, i / 5 % 5 - 2, i % 5 - 2)) (iota 125))
                  (\() v -> i32.sum v)
                  (rep (rep (rep ())))
                  (cube n m k)

entry sparse_3d (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#constant 2i32, #clamp, #wrap)
                  [(-50, 0, 0), (0, 70, 3), (13, 0, -90)]
                  (\() v -> i32.sum v)
                  (rep (rep (rep ())))
                  (cube n m k)

entry invariants_3d (n: i64) (m: i64) (k: i64) =
  stencil_3d [(0, -1, 0), (1, 0, 0)]
             (\(p, q) v -> p * v[0] - i32.i64 q * v[1])
             (map2 (map2 zip) (cube n m k) (tabulate_3d n m k (\a _ _ -> a)))
             (cube n m k)

-- Offsets that come with the call, twice the same, and some that are none.
-- ==
-- entry: dynamic_1d dynamic_2d dynamic_3d
-- input { [0i64, 1i64, -1i64] }
-- input { [0i64, 1i64, -1i64] }
-- input { [3i64, -20i64] }
-- input { empty([0]i64) }
entry dynamic_1d [d] (by: [d]i64) =
  stencil_1d_with (#wrap) by (\() v -> i32.sum v) (rep ()) (line 17)

entry dynamic_2d [d] (by: [d]i64) =
  stencil_2d_with (#mirror, #constant 3i32) (zip by (reverse by)) (\() v -> reduce i32.max 0 v) (rep (rep ())) (plane 9 11)

entry dynamic_3d [d] (by: [d]i64) =
  stencil_3d (zip3 by (reverse by) by) (\c v -> c + i32.sum v) (cube 4 5 6) (cube 4 5 6)
