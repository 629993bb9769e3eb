-- The type inside of a parameter's pattern and the one outside are two views of one size.
-- ==
-- entry: inner
-- input { [5i64,6i64] } output { 7i64 }
-- ==
-- entry: outer
-- input { [5i64,6i64,7i64] } output { 8i64 }
-- ==
-- entry: neither
-- input { [5i64,6i64,7i64] } output { 15i64 }

def of_outer [n] ((_, e: []i64): (i32, [n]i64)) = n + e[0]
entry inner (xs: []i64) = of_outer (1, xs)

def of_inner [n] ((_, e: [n]i64): (i32, []i64)) = n + e[0]
entry outer (xs: []i64) = of_inner (1, xs)

def of_none ((a, e: []i64): (i64, []i64)) = a * length e
entry neither (xs: []i64) = of_none (xs[0], xs)
