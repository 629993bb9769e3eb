-- Values of an abstract type whose argument hides a size: the parameter that has the size tells it.
-- ==
-- entry: main
-- input { 3i64 } output { [3i64, 0i64] }
--
-- ==
-- entry: chosen
-- input { true } output { 2i64 }
-- input { false } output { 0i64 }
--
-- ==
-- entry: nested
-- input { 2i64 } output { 2i64 0i64 }
module cells
  (P: {
    type~ c
    val count : c -> i64
  })
  : {
      type~ c
      type m 'c
      val mk : c -> m c
      val tagged : i32 -> c -> (i32, m c)
      val count : m c -> i64
    }
    with c = P.c = {
  type~ c = P.c
  type m 'c = (i32, c)

  def mk (x: c) = (0i32, x)
  def tagged (i: i32) (x: c) = (i, mk x)
  def count (x: m c) = P.count x.1
}

module bools = cells {
  type~ c = ?[k].[k]bool
  def count (x: c) = length (filter id x)
}

def main (n: i64) = map bools.count [bools.mk (replicate n true), bools.mk (replicate n false)]

entry chosen (b: bool) =
  bools.count (if b then bools.mk [true, true] else bools.mk [false, false])

entry nested (n: i64) =
  let (_, x) = bools.tagged 1 (replicate n true)
  let (_, y) = bools.tagged 2 (replicate n false)
  in (bools.count x, bools.count y)
