-- A loop that ends at the point of the check and not below it.
-- ==
-- input { 0.0 8.0 } output { 0.0 }
def main (limit: f64) (x: f64) : f64 = loop x while x > limit do x / 2
