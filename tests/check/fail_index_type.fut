-- An index is a signed integer.
-- ==
-- error: an index has type `f32`, but a signed integer is needed.*H3002
def main (xs: []i32) (i: f32) : i32 = xs[i]
