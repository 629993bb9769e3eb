-- A `local` declaration may be declared again, and by another kind of declaration: each use means
-- the last before it.
-- ==
-- entry: first second
-- input { 3i32 } output { 5i32 }
local def f (x: i32) = x + 2
local module second = {def plus (x: i32) = x + 2}
local type t = i32
entry first (x: t) = f x
local def f (x: i64) = x * 2
type t = i64
module m = {local def k = 1i32 def one = k local def k = 2i64 def two = k}
entry second (x: i32) = second.plus x + m.one + i32.i64 (m.two - f 1) - 1
