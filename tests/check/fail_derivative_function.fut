-- A function has no weight: results of differentiated functions are data.
-- ==
-- error: argument 1 of .vjp. holds a function of type .f64 -> f64., but data is needed.*H3021
def main (x: f64) : f64 = vjp (\(y: f64) -> \(z: f64) -> y * z) x (\(z: f64) -> z)
