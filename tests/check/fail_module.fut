-- Parameters of modules have a module type, bodies are module expressions; the rest is still read.
-- ==
-- error: expected `:` and the module type of the parameter, found `\)` \[H2001].*expected a module, found `1` \[H2001].*expected `=` after the name of the module, found `x` \[H2001].*a second parameter with the name `p` \[H2004]
module f (p) = { def a = 1 }
module g = 1
module h x = {}
module k (p: t) (p: u) = {}
