-- The operands of one operator have different types.
-- ==
-- error: the right operand of `\+` has type `f32`, but `i32` is needed.*H3002
def main (x: i32) (y: f32) : i32 = x + y
