-- What `open`, `local` and later definitions make of a name; modules and values share one name space.
-- tolerance: exact
-- ==
-- input { 1i32 } output { 11i32 21i32 1i32 3i32 31i32 102i32 1i32 }
module a = {def f (x: i32) = x + 10 def g (x: i32) = x + 100}
module b = {open a def f (x: i32) = g x + 1 local def g (x: i32) = x + 1000 module f' = {def h = 31i32}}
open a
def one (x: i32) = f x
open {def f (x: i32) = x + 20}
def two (x: i32) = f x

module inner = {
  local open {def f (x: i32) = x}
  def same (x: i32) = f x
  local module m = {def k = 2i32}
  def plus x = x + m.k
  module type t = {val y : i32}
}

module c : inner.t = {def y = 31i32 + b.f'.h - 31}
module type shadow = {type t val x : t}
module d = {type t = i64 module n : shadow with t = i32 = {type t = i32 def x = 1i32} open n}
def n : d.t = d.x
entry main (x: i32) = (one x, two x, inner.same x, inner.plus x, c.y, b.f x, n)
