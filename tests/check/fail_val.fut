-- Built-ins are declared in the prelude only.
-- ==
-- error: `val` declares a built-in.*\[H2001]
val f : i32 -> i32
