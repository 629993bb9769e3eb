-- A script may stand in a file beside the program.
-- ==
-- entry: weighted
-- script input @ script_file.futharkscript
-- output { 33.0 }
entry sample (n: i64) = map f64.i64 (iota n)
entry weighted [n] (weight: f64) (xs: [n]f64) : f64 = weight * f64.sum xs + f64.i64 n
