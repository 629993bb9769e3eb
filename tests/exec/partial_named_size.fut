-- A partial application whose argument names a size of the result may be mapped: the argument is
-- evaluated before. Constants of definitions, modules and module parameters are such arguments.
-- ==
-- entry: constant member parameter
-- input { [1i32, 2i32] } output { [[1i32, 1i32, 1i32], [2i32, 2i32, 2i32]] }
--
-- ==
-- entry: called
-- input { [1i32, 2i32] 1i64 } output { [[1i32, 1i32], [2i32, 2i32]] }
def count = length "abc"
def gen (n: i64) (x: i32) = replicate n x
def pairs (n: i64) (x: i32) : (i32, [n]i32) = (x, replicate n x)

module m = {def count = length "abc"}

module repeated (P: {val count : i64}) = {
  def twice (x: i32) : [P.count]i32 = gen P.count x
  def all (xs: []i32) : [][P.count]i32 = map (pairs P.count) xs |> map (.1)
}

module three = repeated m

entry constant (xs: []i32) : [][count]i32 = map (gen count) xs
entry member (xs: []i32) = map (gen m.count) xs
entry parameter (xs: []i32) = three.all xs
entry called (xs: []i32) (n: i64) = map (gen (i64.max 2 n)) xs
