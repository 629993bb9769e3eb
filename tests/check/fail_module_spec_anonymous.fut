-- A specification names the sizes of what a function takes.
-- ==
-- error: sizes of parameters have names in module types
module type summing = {
  val sum : []i32 -> i32
}
