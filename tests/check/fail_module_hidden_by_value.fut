-- Values and modules share their names: in `r.(..)` the value `i64` of r hides the module.
-- ==
-- error: no field `max` in a value of type `i64 -> f32`.*H3007.*`i64` is a value here, which hides the module `i64`.*`i64` is a value here, which hides the module `i64` \[H3019]
module r = {def i64 (x: i64) = f32.i64 x}
def main (a: i64) (b: i64) = r.(i64 (i64.max a b))
def other (a: i64) (b: i64) = r.(i64 i64.(a + b))
