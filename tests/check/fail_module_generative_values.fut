-- Each application of a parametric module has an abstract type of its own.
-- ==
-- error: argument 1 of `a\.g` has type `b\.t`, but `a\.t` is needed: `b\.t` stands for any type here.*H3014
module f (P: {}) : {type t val x : t val g : t -> i32} = {type t = i32 def x = 1i32 def g (x: i32) = x}
module a = f {}
module b = f {}
def main = a.g b.x
