-- The result of a parametric module does not fit its type.
-- ==
-- error: value `z` is missing.*H3018
module f (T: {val x : i32}) : {val z : i32} = {def y = T.x}
