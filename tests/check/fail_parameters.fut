-- Two parameters, two fields and two definitions with one name.
-- ==
-- error: second variable with the name `x` \[H2004].*second field with the name `a` \[H2004]
def f (x: i32) (x: i32) = {a = x, a = 2}
