-- Bools have tangents as `if`s have them: `a && b` is `if a then b else false`, and a condition
-- passes nothing on. Rules of values that lose a tangent (`x && true = x`) wait.
-- ==
-- entry: logic logic_back
-- input { true } output { [false, true, true, false, false, true, false, false, true, false, false, true, false] }
-- input { false } output { [false, true, false, false, false, true, true, false, true, false, true, false, true] }
entry logic (b: bool) =
  let x = f64.bool b + 2
  let f g = jvp g b true
  in [ f (\b -> b && true)
     , f (\b -> true && b)
     , f (\b -> b && b)
     , f (\b -> b && false)
     , f (\b -> b || false)
     , f (\b -> false || b)
     , f (\b -> b || b)
     , f (\b -> b || true)
     , f (\b -> !(!b))
     , f (\b -> !(b && true))
     , f (\b -> (!b) && b)
     , f (\b -> b && !b)
     , f (\b -> b || !b)
     ]

entry logic_back (b: bool) =
  let x = f64.bool b + 2
  let f g = vjp g b true
  in [ f (\b -> b && true)
     , f (\b -> true && b)
     , f (\b -> b && b)
     , f (\b -> b && false)
     , f (\b -> b || false)
     , f (\b -> false || b)
     , f (\b -> b || b)
     , f (\b -> b || true)
     , f (\b -> !(!b))
     , f (\b -> !(b && true))
     , f (\b -> (!b) && b)
     , f (\b -> b && !b)
     , f (\b -> b || !b)
     ]

-- ==
-- entry: comparisons comparisons_back
-- input { true } output { [false, false, false, false, false, false] }
-- input { false } output { [false, false, false, false, false, false] }
entry comparisons (b: bool) =
  let x = f64.bool b + 2
  let f g = jvp g b true
  in [ f (\b -> b == true)
     , f (\b -> true == b)
     , f (\b -> b != false)
     , f (\b -> b == false)
     , f (\b -> b == b)
     , f (\b -> b < true)
     ]

entry comparisons_back (b: bool) =
  let x = f64.bool b + 2
  let f g = vjp g b true
  in [ f (\b -> b == true)
     , f (\b -> true == b)
     , f (\b -> b != false)
     , f (\b -> b == false)
     , f (\b -> b == b)
     , f (\b -> b < true)
     ]

-- ==
-- entry: branches branches_back
-- input { true } output { [false, false, true, false, false, true, true, true, true, false] }
-- input { false } output { [false, false, false, true, true, true, true, true, true, false] }
entry branches (b: bool) =
  let x = f64.bool b + 2
  let f g = jvp g b true
  in [ f (\b -> if b then true else false)
     , f (\b -> if b then false else true)
     , f (\b -> if b then b else false)
     , f (\b -> if b then true else b)
     , f (\b -> if b then false else b)
     , f (\b -> if b then b else !b)
     , f (\b -> if b then b else b)
     , f (\b -> if x > 1 then b else false)
     , f (\b -> (x > 1) && b)
     , f (\b -> b && (x > 1))
     ]

entry branches_back (b: bool) =
  let x = f64.bool b + 2
  let f g = vjp g b true
  in [ f (\b -> if b then true else false)
     , f (\b -> if b then false else true)
     , f (\b -> if b then b else false)
     , f (\b -> if b then true else b)
     , f (\b -> if b then false else b)
     , f (\b -> if b then b else !b)
     , f (\b -> if b then b else b)
     , f (\b -> if x > 1 then b else false)
     , f (\b -> (x > 1) && b)
     , f (\b -> b && (x > 1))
     ]

-- Bits of numbers: `x & x` counts where all other bits are set.
-- ==
-- entry: bits bits_back
-- input { 3 } output { [0, 0, 0, 1, 1, 0, 1] }
-- input { 0 } output { [0, 2, 2, 1, 1, 0, 1] }
-- input { -1 } output { [2, 0, 0, 1, 1, 0, 1] }
entry bits (x: i32) =
  let f g = jvp g x 1i32
  in [ f (\x -> x & x)
     , f (\x -> x | x)
     , f (\x -> x ^ x)
     , f (\x -> x & -1)
     , f (\x -> x | 0)
     , f (\x -> x & 0)
     , f (\x -> x ^ 0)
     ]

entry bits_back (x: i32) =
  let f g = vjp g x 1i32
  in [ f (\x -> x & x)
     , f (\x -> x | x)
     , f (\x -> x ^ x)
     , f (\x -> x & -1)
     , f (\x -> x | 0)
     , f (\x -> x & 0)
     , f (\x -> x ^ 0)
     ]

-- `&&` and `||` in reductions, scans and histograms are the branches of a fold from the left.
-- ==
-- entry: combined
-- input { [true] [true] }
-- output { [true] [true] [true] [true] [true, false] [true, false] [true] true true [true] [true] }
-- input { [true, true, false] [true, true, true] }
-- output { [false, false, true] [false, false, false] [true, true, true] [false, false, false] [true, true] [false, true] [false, true, true]
--          true false [false, false, true] [false, false, false] }
-- input { [true, true, true] [false, true, true] }
-- input { [false, true, false] [true, false, true] }
-- input { [true, false, false, true, true] [true, true, false, true, true] }
entry combined [n] (xs: [n]bool) (ws: [n]bool) =
  let folded op ne (xs: [n]bool) = loop y = ne for x in xs do op y x
  let bins op ne (xs: [n]bool) = hist op ne 2 (map (% 2) (iota n)) xs
  in ( vjp (reduce (&&) true) xs ws[0]
     , vjp (reduce (||) false) xs ws[0]
     , vjp (scan (&&) true) xs ws
     , vjp (reduce (\a b -> if a then true else b) false) xs ws[0]
     , jvp (bins (&&) true) xs ws
     , jvp (bins (||) false) xs ws
     , vjp (bins (&&) true) xs [ws[0], ws[n - 1]]
     , jvp (reduce (&&) true) xs ws
     , jvp (reduce (||) false) xs ws
     , vjp (folded (&&) true) xs ws[0]
     , vjp (folded (||) false) xs ws[0]
     )
