-- A parametric module has no members.
-- ==
-- error: unknown name `f.x`: `f` is a parametric module.*H3001
module f (T: {}) = {def x = 1i32}
def main = f.x
