-- An abstract type without its arguments.
-- ==
-- error: H3002
module type boxes = {type t 'a val mk 'a : a -> t a}
module f (M: boxes) = {def x : M.t = M.mk 1i32}
