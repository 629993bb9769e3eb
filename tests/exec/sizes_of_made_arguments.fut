-- A result's size may be computed of an argument that brings a size itself: `rows` of `narrow (keep s)` is
-- shorter by the length of what the filter in `keep` left. Only the result shows it to callers, in loops too.
-- ==
-- entry: narrowed
-- input { 9i64 2i64 } output { 6i64 9i64 6i64 }
-- input { 9i64 1i64 } output { 3i64 6i64 6i64 }
-- input { 9i64 0i64 } output { 0i64 3i64 6i64 }
-- ==
-- entry: counted
-- input { [1, 2, 3, 4, 5] } output { [0i64, 1, 2] 3i64 }
-- ==
-- entry: chained
-- input { [1, 2, 3, 9] } output { [1, 2, 3, 9, 0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8] 9i64 }

type~ rows = {rows: []i32, js: []i64}

def narrow (s: rows) : rows = s with rows = drop (i64.min (length s.js) (length s.rows)) s.rows
def keep (s: rows) : rows = s with js = filter (> 5) s.js
def moved (s: rows) : rows = s with js = map (+ 1) s.js
def step (s: rows) : rows = s |> keep |> moved |> narrow
def loops (least: i64) (s: rows) : rows = loop s while length s.rows > least * 3 do step s

entry narrowed (n: i64) (least: i64) =
  let s = {rows = replicate n 1i32, js = iota n}
  let once = step s
  let t = loops least s
  in (length t.rows, length t.js + length t.rows, length once.rows)

def large (xs: []i32) = length (filter (> 2) xs)
def places (xs: []i32) = iota (large xs)
def placesOfPositive (xs: []i32) = places (filter (> 0) xs)

entry counted (xs: []i32) =
  let made = placesOfPositive xs in (made, length (placesOfPositive (xs ++ [0])))

def both (r: {a: []i32, b: i64}) = iota (large r.a + r.b)

entry chained (xs: []i32) =
  let r =
    loop {a, b} = {a = xs, b = 1i64}
    for _i < 3 do
      { a = a ++ map i32.i64 (both {a = filter (> 0) a, b})
      , b = b + large (filter (> 1) a)
      }
  in (r.a, r.b)
