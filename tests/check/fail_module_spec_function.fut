-- A module type of a parametric module hides the members that it does not name.
-- ==
-- error: unknown name `q\.z`.*H3001
module type mt = {module f: (P: {val x : i32}) -> {val y : i32}}
module m : mt = {module f (P: {val x : i32}) = {def y = P.x + 1 def z = 3i32}}
module q = m.f {def x = 4i32}
def main = q.z
