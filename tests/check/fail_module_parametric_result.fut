-- A parametric module gives less than the type says.
-- ==
-- error: value `z` is missing.*H3018
module m : {} -> {val z : i32} = \(X: {}) -> {def y = 1i32}
