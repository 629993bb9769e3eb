-- An argument of the wrong type: both types, and which argument.
-- ==
-- error: argument 1 of `f32.sqrt` has type `i32`, but `f32` is needed.*H3002
def main (x: i32) : f32 = f32.sqrt x
