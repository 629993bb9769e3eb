-- A loop without initial value takes it from the names of its pattern.
-- ==
-- error: needs names, `_` names nothing \[H2001].*needs names, a literal names nothing \[H2001]
def f (x: i32) = loop (x, _) for i < 3 do (x, i)
def g (x: i32) = loop (x, 1) for i < 3 do (x, i)
