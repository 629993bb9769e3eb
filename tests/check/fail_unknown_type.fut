-- A misspelt type.
-- ==
-- error: unknown type `f23`, did you mean `f32`\?.*H3003
def main (x: f23) : f32 = x
