-- A size that only a result knows is one size in all its parts, however it was computed.
-- ==
-- input { [5, 1, 4, 2] }
-- output { [5i32] [1i32, 4i32, 2i32] [5i32, 1i32] [5i32, 1i32] }

module m
  : {
      val cut [n] 'a : [n]a -> ?[k].([k]a, [n - k]a)
      val twice [n] 'a : (i: i64) -> [n]a -> ?[k].{left: [k]a, right: [k]a}
    } = {
  def cut [n] 'a (xs: [n]a) : ?[k].([k]a, [n - k]a) =
    let found = [(1i64, 2i64)]
    in (xs[0:found[0].0], xs[found[0].0:n])

  def twice [n] 'a (i: i64) (xs: [n]a) =
    let j = i64.i32 (i32.i64 i)
    let ys = xs[:1] ++ xs[1:j]
    in {left = ys, right = ys}
}

def main (xs: []i32) =
  let (a, b) = m.cut xs
  let {left, right} = m.twice 2 xs
  let pairs = zip left right
  in (a, b, map (.0) pairs, map (.1) pairs)
