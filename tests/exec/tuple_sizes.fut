-- Sizes that a tuple names: behind the scope of the names their expressions stand for them.

def halves (n: i64) =
  let (a, b) = (n / 2, n - n / 2)
  in \(k: i64) -> (replicate a k, replicate b k)

def grid (n: i64) =
  let ((w, h), _) = ((n, n + 1), n)
  let row (y: i64): [w]i64 = map (+ y) (iota w)
  in (h, \(k: i64) -> row (k % h))

-- ==
-- input { 7i64 } output { [3i64, 3i64, 3i64, 4i64, 4i64, 4i64, 4i64] [2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] 21i64 }
entry main (n: i64) =
  let (xs, _) = halves n 3
  let (_, ys) = halves n 4
  let (_, f) = grid n
  let (_, g) = let (_, b) = (n / 2, n) in (b, \(xs: [b]i64) -> i64.sum xs)
  in (xs ++ ys, f 10, g (iota n))
