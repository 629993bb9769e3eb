-- Every boundary on every size up to beyond the reach, in one to three dimensions; offsets without
-- the centre, far, asymmetric, sparse, twice the same; boundaries and offsets chosen at run time.
-- tolerance: exact

type edge = #clamp | #mirror | #wrap | #constant i32

def edge (k: i32) : edge =
  match k case 0 -> #clamp case 1 -> #mirror case 2 -> #wrap case _ -> #constant 100

def line (n: i64) = map (\i -> i32.i64 (i * 7 % 31) + 1) (iota n)
def plane (n: i64) (m: i64) = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 31) + 1)

def space (n: i64) (m: i64) (k: i64) =
  tabulate_3d n m k (\a b c -> i32.i64 ((a * 3 + b * 7 + c * 13) % 31) + 1)

def f [d] (v: [d]i32) = (loop sum = 0 for i < d do 3 * sum + v[i]) % 10007

-- ==
-- entry: lines chosen
-- input { 0i64 }
-- input { 1i64 }
-- input { 2i64 }
-- input { 3i64 }
-- input { 7i64 }
-- input { 1023i64 }
-- input { 1024i64 }
-- input { 1025i64 }
entry lines (n: i64) =
  let of_ b = stencil_1d_with b [-2, -1, 0, 1, 2] (\() v -> f v) (rep ()) (line n)
  in ( of_ #clamp
     , of_ #mirror
     , of_ #wrap
     , of_ (#constant 100)
     , stencil_1d_with #mirror [5, -9, 5] (\c v -> c + f v) (line n) (line n)
     )

entry chosen (n: i64) =
  map (\k -> stencil_1d_with (edge k) [-3, 4] (\() v -> f v) (rep ()) (line n)) [0, 1, 2, 3]

-- ==
-- entry: planes chosen_2d dynamic
-- input { 0i64 0i64 }
-- input { 0i64 3i64 }
-- input { 1i64 1i64 }
-- input { 1i64 2i64 }
-- input { 3i64 1i64 }
-- input { 2i64 3i64 }
-- input { 31i64 33i64 }
entry planes (n: i64) (m: i64) =
  let of_ a b = stencil_2d_with (a, b) [(-2, 0), (0, 3), (1, -2), (2, 2)] (\() v -> f v) (rep (rep ())) (plane n m)
  in ( (of_ #clamp #clamp, of_ #mirror #mirror, of_ #wrap #wrap, of_ (#constant 5) (#constant 9))
     , (of_ #clamp #wrap, of_ #mirror (#constant 9), of_ (#constant 5) #wrap, of_ #wrap #mirror)
     , stencil_2d [(-5, -9)] (\c v -> c - v[0]) (plane n m) (plane n m)
     )

entry chosen_2d (n: i64) (m: i64) =
  map (\k -> stencil_2d_with (edge (k % 4), edge (k / 4)) [(-1, 2), (3, -1)] (\() v -> f v) (rep (rep ())) (plane n m))
      [0, 5, 10, 15, 3, 12, 6]

-- Offsets that the compiler does not know.
entry dynamic (n: i64) (m: i64) =
  let r = n % 3 + 1
  let offsets = map (\k -> (k / (2 * r + 1) - r, k % (2 * r + 1) - r)) (iota ((2 * r + 1) * (2 * r + 1)))
  in ( stencil_2d offsets (\() v -> f v) (rep (rep ())) (plane n m)
     , stencil_2d_with (#wrap, #constant 7) offsets (\c v -> c + f v) (plane n m) (plane n m)
     )

-- ==
-- entry: spaces
-- input { 0i64 1i64 2i64 }
-- input { 1i64 1i64 1i64 }
-- input { 2i64 1i64 3i64 }
-- input { 3i64 3i64 3i64 }
-- input { 7i64 5i64 17i64 }
entry spaces (n: i64) (m: i64) (k: i64) =
  let of_ a b c =
    stencil_3d_with (a, b, c)
                    [(-2, 0, 1), (0, 2, 0), (1, -1, -3), (0, 0, 0)]
                    (\() v -> f v)
                    (rep (rep (rep ())))
                    (space n m k)
  in ( (of_ #clamp #clamp #clamp, of_ #mirror #mirror #mirror, of_ #wrap #wrap #wrap)
     , (of_ (#constant 1) (#constant 2) (#constant 3), of_ #clamp #wrap #mirror, of_ #wrap (#constant 4) #clamp)
     , stencil_3d (map (\i -> (i - 1, 0, 1 - i)) (iota (n % 4))) (\c v -> c + f v) (space n m k) (space n m k)
     )
