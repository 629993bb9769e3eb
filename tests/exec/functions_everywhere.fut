-- Functions from records, tuples, constants and partial applications.
-- tolerance: exact
-- ==
-- input { 3i32 }
-- output { 4i32 2i32 3i32 [3i32, 3i32] 6i32 0i32 5i32 6i32 9i32 6i32 }
def apply '^a '^b (f: a -> b) (x: a) : b = f x
def k1 = {f = \(x: i32) (y: i32) -> x * y, n = 3i32}
def compose3 = (+ 1i32) >-> (* 2) >-> (\x -> x - 3)
def fs (k: i32) = ((+ k), (\x -> (x, k)), [k, k])

entry main (x: i32) =
  let (a, b, c) = fs x
  let g = apply (\f -> f 3i32)
  let r = {run = apply compose3, k = k1.f 2}
  in (a 1, b 2, c, g (+ x), g (\y -> y - x), r.run x, r.k x, (let h = k1.f in h x x), apply (uncurry k1.f) (x, 2))
