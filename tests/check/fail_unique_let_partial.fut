-- A name for a function consumes nothing either: each call would find the array gone.
-- ==
-- error: making it consumes `xs`.*H3022.*making it consumes `ys`.*H3022
def set (xs: *[]i64) (y: i64) : *[]i64 = xs with [0] = y
def partial (n: i64) = let xs = iota n let f = set xs in f 2
def held (n: i64) = let ys = iota n let r = {f = set ys} in r.f 2
