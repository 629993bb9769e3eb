-- A parameter with a star in some part consumes its whole argument.
-- ==
-- error: `ys` is a parameter without `\*`.*H3015.*`vs` is used after it was consumed.*H3015
def set ((xs, ys): (*[]i32, []i32)) = xs with [0] = ys[0]
def borrowed (xs: *[]i32) (ys: []i32) = set (xs, ys)
def used (us: *[]i32) (vs: *[]i32) = (set (us, vs), vs)
