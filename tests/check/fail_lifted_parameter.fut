-- A type that is no function takes none.
-- ==
-- error: holds a function, but the type's parameter `u` stands for data: a declaration by `type\^` takes.*H3021
type p 'u = {f: u}
def g : p (i32 -> i32) = {f = \x -> x}
