-- Values are declared in module types and in the prelude only.
-- ==
-- error: `val` belongs into a module type.*\[H2001]
val f : i32 -> i32
