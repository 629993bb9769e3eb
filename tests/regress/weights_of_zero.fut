-- A weight that is computed to be 0 is a number: times an infinite factor it is NaN, in reverse
-- mode as in forward mode. The interpreter took it for no weight at all. A partial that may be
-- infinite itself stays guarded.
-- ==
-- entry: reverse forward
-- input { f64.inf 0.0 } output { f64.nan }
-- input { f64.nan 0.0 } output { f64.nan }
-- input { 3.0 0.0 } output { 0.0 }
-- ==
-- entry: seeds
-- input { f64.nan [0.0, 1.0] } output { [f64.nan, f64.nan] }
-- ==
-- entry: guarded
-- input { 0.0 0.0 } output { 0.0 }
entry reverse (x: f64) (weight: f64) : f64 = vjp (\x -> x * x) x weight
entry forward (x: f64) (weight: f64) : f64 = jvp (\x -> x * x) x weight
entry seeds [n] (x: f64) (seeds: [n]f64) : [n]f64 = mjp (\x -> x * x) x seeds
entry guarded (x: f64) (weight: f64) : f64 = vjp f64.sqrt x weight
