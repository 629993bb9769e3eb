-- What `[]` in the result of a function stands for follows from its body: a size that callers
-- know, or one that several parts of the result have in common.
-- ==
-- entry: known nested hidden
-- input { 3i64 } output { [0i64, 2i64, 4i64] }
def upto (n: i64) : []i64 = iota n

module counted
  : {
      val below [n] : [n]i64 -> i64 -> ?[k].([k]i64, [k]i64)
    } = {
  def below [n] (xs: [n]i64) (bound: i64) : ([]i64, []i64) =
    let ys = filter (< bound) xs
    in (ys, indices ys)
}

entry known (n: i64) = map2 (+) (upto n) (upto n)

entry nested (n: i64) =
  let f (k: i64): []i64 = iota k
  in map (\(x, y) -> x + y) (zip (iota n) (f n))

entry hidden (n: i64) =
  let (xs, is) = counted.below (iota 100) n
  in map2 (+) xs is
