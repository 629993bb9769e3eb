-- A local function does not give away what it has captured.
-- ==
-- error: the result of `get` is `\*`, but may share the memory of `xs`
def main (xs: *[]i32) : []i32 =
  let get (_: i32): *[]i32 = xs
  in get 1
