-- A size parameter is the size of something, in local functions, too.
-- ==
-- error: `n` is not the size of anything that `f` takes or gives.*H4002
def main (x: i32) =
  let f [n] (y: i32) = y + 1
  in f x
