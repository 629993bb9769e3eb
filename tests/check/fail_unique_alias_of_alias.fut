-- Through two names and a slice.
-- ==
-- error: `c` is used after it was consumed.*H3015.*may share the memory of `a`
def main (a: *[]i32) : i32 =
  let b = a[1:]
  let c = b
  let d = a with [0] = 9
  in c[0] + d[0]
