-- A polymorphic result with a star is new.
-- ==
-- error: the result of `g` is `\*`, but may share the memory of `x`
def g 'a (x: a) : *a = x
def main (x: i32) : i32 = g x
