-- The derivative that `with_vjp` takes has one type, which follows from the function.
-- ==
-- error: argument 2 of .with_vjp. has type .f64 -> bool -> f64., but .f64 -> f64 -> f64. is needed.*H3002
def f = with_vjp (\(x: f64) -> x * x) (\(x: f64) (_w: bool) -> x)

def main (x: f64) : f64 = vjp f x 1
