-- A type that is no function takes none.
-- ==
-- error: H3021
type p 'u = {f: u}
def g : p (i32 -> i32) = {f = \x -> x}
