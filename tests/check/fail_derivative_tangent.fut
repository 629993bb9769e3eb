-- A direction has the type of the argument.
-- ==
-- error: argument 3 of .jvp. has type .bool., but .f64. is needed.*H3002
def main (x: f64) : f64 = jvp (\y -> y * y) x true
