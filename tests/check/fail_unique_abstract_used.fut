-- A value of an abstract type that was consumed is gone.
-- ==
-- error: `c` is used after it was consumed \[H3015\]
module m : {type b val mk : i64 -> b val up : *b -> *b} =
  {type b = [3]i8 def mk (n: i64) = replicate 3 (i8.i64 n) def up (x: *b) : *b = x with [0] = 0}

def main = let c = m.mk 5 let d = m.up c in (c, d)
