-- Parametric modules are for a later version.
-- ==
-- error: parametric modules .*\[H2006]
module f (p: monoid) = { def twice (x: p.t) = p.op x x }
