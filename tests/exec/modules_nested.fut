-- Parametric modules in modules, ascribed, applied to each other.
-- tolerance: exact
-- ==
-- input { 1i32 } output { 4i32 12i32 6i32 }
module type T = {val x : i32}
module F (A: T) : T = {def x = A.x + 1}

module lib = {
  module G (A: T) = {open A module inner = F A def y = inner.x + x module H (A: T) = {def z = A.x + y}}
}

module G : (A: T) -> {val y : i32} = lib.G
module a = F (F {def x = 2i32})
module b = lib.G a
module c = b.H {def x = 3i32}
module d = G {def x = 1i32}
entry main (k: i32) = (a.x * k, c.z, d.y * 2)
