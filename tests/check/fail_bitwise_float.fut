-- Bits of floats are reached by `f32.to_bits`.
-- ==
-- error: an operand of `<<` has type `f32`, but an `integer` is needed.*H3008
def main (x: f32) : f32 = x << 1
