-- A parametric module asks more of its argument than the type says.
-- ==
-- error: value `y` is missing.*H3018
module f (F: (X: {val x : i32}) -> {val z : i32}) = {module m = F {def x = 1i32}}
module g (X: {val x : i32 val y : i32}) = {def z = X.x + X.y}
module m = f g
