-- The sizes that are hidden in values of an abstract type are theirs.
-- ==
-- error: size `3` is not `2`.*H4001
module cells (P: {type~ c})
  : {
      type~ c
      type m 'c
      val mk : c -> m c
    }
    with c = P.c = {
  type~ c = P.c
  type m 'c = (i32, c)
  def mk (x: c) = (0i32, x)
}

module bools = cells {type~ c = ?[k].[k]bool}
def both = [bools.mk [true, false], bools.mk [true, false, true]]
