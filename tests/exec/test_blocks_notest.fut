-- Inputs tagged `notest` are for `halo bench` alone: the second one expects a wrong value.
-- ==
-- input { 3i64 } output { 6i64 }
-- notest input { 4i64 } output { 0i64 }
entry main (n: i64) : i64 = 2 * n
