-- A type as in C.
-- ==
-- error: expected a declaration.*help: a type is .type point =
struct point { x: f32 }
