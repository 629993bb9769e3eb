-- A module type holds specs; several errors in one, and names given twice.
-- ==
-- error: expected `val`, `type`, `module` or `include` in a module type, found `def` \[H2001].*expected a type, found `\)` \[H2001].*a second value or module with the name `b` \[H2004].*a second type with the name `t` \[H2004].*a second module type with the name `m` \[H2004]
module type k = { def a = 1 }
module type l = { val a : ) val c : i32 }
module type m = { val b : i32 module b : l type t type t }
module type m = { val a : i32 }
