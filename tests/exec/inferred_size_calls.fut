-- The size of a result is what the body says, calls and all: two results of one call have one size.
-- ==
-- entry: counted
-- input { [2i64, 0i64, 3i64] } output { [0i64, 2i64, 2i64, 2i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- ==
-- entry: declared
-- input { [1i64, 2i64] } output { [7i32, 7i32, 7i32] }
-- ==
-- entry: branch
-- input { true [1i64, 1i64] } output { 2i64 }
-- input { false [1i64, 1i64] } output { 1i64 }
-- ==
-- entry: expanded
-- input { [2i64, 1i64, 3i64] } output { [0i64, 10i64, 10i64, 20i64, 30i64, 40i64] }
def places (ks: []i64) = iota (i64.sum ks)
def marks (ks: []i64) = map (> 0) (places ks)
def sevens (ks: []i64) = replicate (i64.sum ks) 7i32

entry counted (ks: []i64) =
  map3 (\place mark seven -> if mark then i64.i32 seven - 5 else place)
       (places ks)
       (marks ks)
       (sevens ks)

entry declared (ks: []i64) : [i64.sum ks]i32 = sevens ks

entry branch (c: bool) (ks: []i64) = length (if c then places ks else [1])

-- As libraries flatten: how often each element comes, then its turns.
def owners [n] (ks: [n]i64) =
  let starts = map2 (-) (scan (+) 0 ks) ks
  let firsts = reduce_by_index (replicate (reduce (+) 0 ks) 0) i64.max 0 starts (iota n)
  in scan i64.max 0 firsts

def turns (ks: []i64) =
  let os = owners ks
  let starts = map2 (-) (scan (+) 0 ks) ks
  in map2 (\o i -> i - starts[o]) os (indices os)

entry expanded (ks: []i64) = map2 (\o t -> 10 * (o + t)) (owners ks) (turns ks)
