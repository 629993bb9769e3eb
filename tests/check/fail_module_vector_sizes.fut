-- An abstract type of another size.
-- ==
-- error: H4001
module type vectors = {type vec [n] val add [n] : vec [n] -> vec [n] -> vec [n]}
module f (M: vectors) = {def g [n] [m] (a: M.vec [n]) (b: M.vec [m]) = M.add a b}
