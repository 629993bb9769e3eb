-- The type of accumulators has a name without its module, and may be defined anew.
-- ==
-- entry: counts
-- input { [0i64, 0i64, 5i64] [2i64, 0i64, 2i64, 7i64] } output { [1i64, 0i64, 7i64] }
-- ==
-- entry: other
-- input { 3i64 } output { 4i64 }
def write [k] 'a (acc: *acc ([k]a)) (i: i64) (v: a) : *acc ([k]a) = intrinsics.acc_write acc i v

def sums [k] 'b (dest: *[k]i64) (f: *acc ([k]i64) -> b -> acc ([k]i64)) (bs: []b) : *[k]i64 =
  intrinsics.hist_stream dest (+) 0 f bs

entry counts [k] (dest: *[k]i64) (is: []i64) : *[k]i64 =
  sums dest (\(acc: *acc ([k]i64)) i -> write acc i 1) is

module m = {type acc = {sum: i64} def add (a: acc) : acc = {sum = a.sum + 1}}
entry other (x: i64) = (m.add {sum = x}).sum
