-- A hole is no error before the program gets to it. `halo check` says where one is, and its type.
-- ==
-- warning: a hole of type `i32`: the program fails when it gets here.*H7014
-- warning: a hole of type `\[n\]f32`: the program fails when it gets here.*H7014
def count (x: i32) = x + ???
entry scaled [n] (xs: [n]f32) : [n]f32 = if n > 3 then ??? else map (* 2) xs
