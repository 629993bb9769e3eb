-- Places that loops carry: binary searches, merges, counts. Their indices need no check; those of a
-- search that is off by one keep it.
-- ==
-- entry: exclusive halves
-- input { [1i32, 3i32, 3i32, 7i32, 9i32] [0i32, 3i32, 4i32, 9i32, 10i32] }
-- output { [0i64, 1i64, 3i64, 4i64, 5i64] }
-- input { empty([0]i32) [2i32] } output { [0i64] }
-- ==
-- entry: inclusive
-- input { [1i32, 3i32, 5i32, 7i32, 9i32] [0i32, 3i32, 4i32, 9i32, 10i32] }
-- output { [-1i32, 3i32, -1i32, 9i32, -1i32] }
-- input { empty([0]i32) [2i32] } output { [-1i32] }
-- ==
-- entry: shifted
-- input { [1i32, 3i32, 3i32, 7i32, 9i32] [0i32, 3i32, 4i32, 9i32, 10i32] }
-- output { [0i32, 1i32, 3i32, 4i32, 5i32] }
-- ==
-- entry: bins
-- input { [-1f32, 0f32, 0.6f32, 18.5f32, 50f32] } output { [0i32, 0i32, 0i32, 18i32, 20i32] }
-- ==
-- entry: merges
-- input { [[1i32, 4i32, 4i32]] [[0i32, 4i32, 5i32, 6i32]] }
-- output { [[0i32, 1i32, 4i32, 4i32, 4i32, 5i32, 6i32]] }
-- input { [[1i32]] empty([1][0]i32) } output { [[1i32]] }
-- ==
-- entry: common
-- input { [[1i32, 4i32, 5i32]] [[0i32, 4i32, 5i32, 6i32]] } output { [2i64] }
-- ==
-- entry: filtered
-- input { [[1i32, -4i32, 5i32], [-1i32, -2i32, 3i32]] }
-- output { [[1i32, 5i32, 0i32], [3i32, 0i32, 0i32]] [2i64, 1i64] }
-- ==
-- entry: off_by_one
-- input { [1i32, 3i32, 5i32] [0i32, 3i32] } output { [0i64, 1i64] }
-- input { [1i32, 3i32, 5i32] [0i32, 6i32] } error: index `\[3\]` is out of range for an array of shape `\[3\]`
-- ==
-- entry: below_zero
-- input { [1i32, 3i32, 5i32] [0i32, 7i32] } error: index `\[-1\]` is out of range for an array of shape `\[3\]`
-- input { [1i32, 3i32, 5i32] [3i32, 7i32] } output { [2i32, 3i32] }

-- The first place whose element is not below v.
entry exclusive [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i64 =
  let search v =
    (.0) (loop (lo, hi) = (0, n)
          while lo < hi do
            let mid = (lo + hi) / 2
            in if xs[mid] < v then (mid + 1, hi) else (lo, mid))
  in map search vs

entry halves [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i64 =
  let search v =
    (.0) (loop (lo, hi) = (0, n)
          for _i < 64 do
            if lo < hi
            then let mid = lo + (hi - lo) / 2
                 in if xs[mid] < v then (mid + 1, hi) else (lo, mid)
            else (lo, hi))
  in map search vs

entry inclusive [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i32 =
  let search v =
    let (_, _, found) =
      loop (lo, hi, found) = (0, n - 1, -1)
      while lo <= hi && found < 0 do
        let mid = (lo + hi) / 2
        let x = xs[mid]
        in if x == v
           then (lo, hi, mid)
           else if x < v then (mid + 1, hi, found) else (lo, mid - 1, found)
    in if found >= 0 then xs[found] else -1
  in map search vs

entry shifted [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i32 =
  let search v =
    (.0) (loop (lo, hi) = (0i32, i32.i64 n)
          while lo < hi do
            let mid = lo + ((hi - lo) >> 1)
            in if xs[mid] < v then (mid + 1, hi) else (lo, mid))
  in map search vs

entry bins [m] (vs: [m]f32) : [m]i32 =
  let edges = map f32.i64 (iota 21)
  let search v =
    let (lo, hi) =
      loop (lo, hi) = (0i32, 20i32)
      while lo + 1 < hi do
        let mid = (lo + hi) / 2
        in if v < edges[mid] then (lo, mid) else (mid, hi)
    in if v < edges[hi] then lo else hi
  in map search vs

entry merges [k] [n] [m] (xss: [k][n]i32) (yss: [k][m]i32) : [k][n + m]i32 =
  let merge (xs: [n]i32) (ys: [m]i32) =
    (.2) (loop (i, j, zs) = (0, 0, replicate (n + m) 0)
          for k < n + m do
            if j >= m || (i < n && xs[i] <= ys[j])
            then (i + 1, j, zs with [k] = xs[i])
            else (i, j + 1, zs with [k] = ys[j]))
  in map2 merge xss yss

entry common [k] [n] [m] (xss: [k][n]i32) (yss: [k][m]i32) : [k]i64 =
  let count (xs: [n]i32) (ys: [m]i32) =
    (.2) (loop (i, j, c) = (0, 0, 0)
          while i < n && j < m do
            if xs[i] < ys[j]
            then (i + 1, j, c)
            else if xs[i] > ys[j] then (i, j + 1, c) else (i + 1, j + 1, c + 1))
  in map2 count xss yss

entry filtered [k] [n] (xss: [k][n]i32) : ([k][n]i32, [k]i64) =
  let positive (xs: [n]i32) =
    loop (ys, c) = (replicate n 0, 0)
    for i < n do
      if xs[i] > 0 then (ys with [c] = xs[i], c + 1) else (ys, c)
  in unzip (map positive xss)

-- Looks behind the last element.
entry off_by_one [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i64 =
  let search v =
    (.0) (loop (lo, hi) = (0, n)
          while lo <= hi && xs[lo] < v do
            (lo + 1, hi))
  in map search vs

-- Looks in front of the first one.
entry below_zero [n] [m] (xs: [n]i32) (vs: [m]i32) : [m]i32 =
  let search v = i32.i64 (1 + (loop i = n - 1 while xs[i] > v do i - 1))
  in map search vs
