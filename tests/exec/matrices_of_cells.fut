-- Batches of small matrices whose sizes are not known before the call, in loops of parallel steps:
-- branches that give rows, rotations, pivots.
-- ==
-- entry: inverses eigenvalues solutions
-- input { 0i64 9i64 }
-- input { 1i64 1i64 }
-- input { 3i64 20i64 }
-- input { 5i64 17i64 }
-- input { 1i64 120i64 }

def matrix (n: i64) (k: i64) : [n][n]f32 =
  tabulate_2d n n (\i j ->
                     if i == j then f32.i64 (n + 1) else f32.i64 ((i * 7 + j * 3 + k) % 5) / 4)

-- Gauss and Jordan, without pivots.
entry inverses (b: i64) (n: i64) : [b][n][n]f32 =
  let inverse (a: [n][n]f32): [n][n]f32 =
    let m =
      map2 (\i row ->
              tabulate (2 * n) (\j -> if j < n then row[j] else if j == n + i then 1 else 0))
           (iota n)
           a
    let m =
      loop m for i < n do
        let p = map (/ m[i, i]) m[i]
        in map2 (\k row -> if k == i then p else map2 (\x y -> x - row[i] * y) row p) (iota n) m
    in map (\row -> row[n:] :> [n]f32) m
  in map inverse (tabulate b (matrix n))

-- Jacobi's rotations of neighbouring axes.
entry eigenvalues (b: i64) (n: i64) : [b][n]f32 =
  let rotate (a: [n][n]f32) (p: i64): [n][n]f32 =
    let q = p + 1
    let theta = (a[q, q] - a[p, p]) / (2 * a[p, q] + 1e-20)
    let t = (if theta >= 0 then 1 else -1) / (f32.abs theta + f32.sqrt (theta * theta + 1))
    let c = 1 / f32.sqrt (t * t + 1)
    let s = t * c
    let turn (row: [n]f32) =
      map2 (\j x ->
              if j == p then c * x - s * row[q] else if j == q then s * row[p] + c * x else x)
           (iota n)
           row
    in transpose (map turn (transpose (map turn a)))
  let symmetric (k: i64) = let a = matrix n k in map2 (map2 (\x y -> (x + y) / 2)) a (transpose a)
  in tabulate b (\k ->
                   let a = loop a = symmetric k for p < n - 1 do rotate a p
                   in map (\i -> a[i, i]) (iota n))

-- Elimination with exchanges of rows.
entry solutions (b: i64) (n: i64) : [b][n]f32 =
  let solve (k: i64) =
    let (m, y) =
      loop (m, y) = (reverse (matrix n k), map f32.i64 (iota n))
      for c < n do
        let (p, _) =
          reduce (\(i, x) (j, z) -> if x > z || (x == z && i < j) then (i, x) else (j, z))
                 (i64.highest, -1)
                 (map (\r -> (r, if r < c then -1 else f32.abs m[r, c])) (iota n))
        let from r = if r == c then p else if r == p then c else r
        let m = map (\r -> m[from r]) (iota n)
        let y = map (\r -> y[from r]) (iota n)
        let f = map (\r -> if r == c then 0 else m[r, c] / m[c, c]) (iota n)
        in ( map2 (\row e -> map2 (\x z -> x - e * z) row m[c]) m f
           , map2 (\x e -> x - e * y[c]) y f
           )
    in map (\r -> y[r] / m[r, r]) (iota n)
  in tabulate b solve
