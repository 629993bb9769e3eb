-- A size that is no product gives no factors.
-- ==
-- error: H4002
def f [k] (xs: [k]i32) = unflatten xs
