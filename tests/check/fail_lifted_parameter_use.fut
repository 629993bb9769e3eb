-- A parameter `'^a` may be a function, which `'a` is not.
-- ==
-- error: has the type `a`, which may be a function, but data is needed.*H3021
def copies '^a (x: a) = replicate 2 x
