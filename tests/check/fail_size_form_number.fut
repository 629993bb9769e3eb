-- A number is no product.
-- ==
-- error: H4002
def f (xs: [6]i32) = unflatten xs
