-- Functions as arguments, results and record fields; what they capture.
-- tolerance: exact
-- ==
-- entry: a
-- input { [1,2,3] 5 }
-- output { [12i32, 14i32, 16i32] }
-- tolerance: exact
-- ==
-- entry: b
-- input { [1,2,3] 5 }
-- output { [280i32, 405i32, 530i32] }
-- tolerance: exact
-- ==
-- entry: c
-- input { [1,2,3] 5 }
-- output { [6i32, 9i32, 14i32] }
-- tolerance: exact
-- ==
-- entry: d
-- input { [1,2,3] 5 }
-- output { [6i32, 7i32, 8i32] }
-- tolerance: exact
-- ==
-- entry: e
-- input { [1,2,3] 5 }
-- output { [21i32, 22i32, 23i32] }
-- tolerance: exact
-- ==
-- entry: i
-- input { [1,2,3] 2 }
-- output { 1i32 2i32 [3i32, 5i32] [4i32, 6i32] }
-- tolerance: exact
-- ==
-- entry: j
-- input { [1,2,3] 2 }
-- output { 16i32 [1i32, 16i32, 81i32] }

def compose '^a '^b '^c (f: a -> b) (g: b -> c) : a -> c = \x -> g (f x)
def applyN (f: i32 -> i32) (n: i32) (x: i32) : i32 = loop x for _i < n do f x
entry a (xs: []i32) (k: i32) = map (compose (+ k) (* 2)) xs
entry b (xs: []i32) (k: i32) = map (applyN (compose (+ 1) (\x -> x * k)) 3) xs
def pick (r: {f: i32 -> i32, g: i32 -> i32}) (x: i32) : i32 = r.f (r.g x)
entry c (xs: []i32) (k: i32) = map (pick {f = (+ k), g = \x -> x * x}) xs
def adder (n: i32) = \(m: i32) -> n + m
entry d (xs: []i32) (k: i32) = let g = adder k in map g xs
def rec (f: i32 -> i32) (n: i32) (x: i32) : i32 = if n <= 0 then x else rec f (n - 1) (f x)
entry e (xs: []i32) (k: i32) = map (rec (\x -> x + k) 4) xs
def poly 'a 'b (f: a -> b) (p: (a, a)) : (b, b) = (f p.0, f p.1)
entry i (xs: []i32) (k: i32) = let (a, b) = poly (\i -> xs[i]) (0i64, 1i64) let (c, d) = poly (\x -> [x, x + k]) (3, 4) in (a, b, c, d)

entry j (xs: []i32) (k: i32) =
  let sq x = x * x
  let poly2 'a (f: a -> a) (x: a) = f (f x)
  let ys = poly2 (map sq) xs
  in (poly2 sq k, ys)
