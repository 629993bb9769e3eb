-- A lambda consumes its parameter only if its own annotation says so, whatever is expected of it.
-- ==
-- error: `ys` is a parameter without `\*`.*H3015.*`xs` is a parameter without `\*`.*H3015
def iter 'a (n: i32) (f: *a -> *a) (x: *a) : *a = loop x for _i < n do f x
def step (xs: *[]i32) = iter 4 (\ys -> ys with [0] = ys[0] + 1) xs
def set : *[]i32 -> *[]i32 = \xs -> xs with [0] = 1
