-- What uses a module with errors has no further ones.
-- ==
-- error: ^error: this module does not fit its type: value `zero` is missing \[H3018](?!.*error)
module type ring = {type t val zero : t}
module sums (R: ring) = {def pair (x: R.t) = (x, R.zero)}
module broken = sums {type t = i32}
entry main (x: i32) = let (a, b) = broken.pair x in (a, [b])
