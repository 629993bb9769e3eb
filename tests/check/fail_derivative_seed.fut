-- The weight of a result has the type of that result.
-- ==
-- error: argument 3 of .vjp. has type .bool., but .f64. is needed.*H3002
def main (x: f64) : f64 = vjp (\y -> y * y) x true
