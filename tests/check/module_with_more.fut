-- A refinement may take more types for its parameters than the type that it stands for.
-- ==
-- input { 3 } output { 4 }
module type box = { type t 'a val get 'a: t a -> a val put 'a: a -> t a }
module type plain = box with t '^a = a
module identity: plain = { type t '^a = a def get x = x def put x = x }
def main (x: i32): i32 = identity.get (identity.put x) + 1
