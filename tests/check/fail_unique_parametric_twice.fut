-- Both parts of the result may be the result of one call.
-- ==
-- error: `b` is used after it was consumed \[H3015\]
def twice 'a 'b (f: a -> b) (x: a) : (b, b) = let y = f x in (y, y)

def main (n: i64) =
  let (a, b) = twice (\m -> replicate m 1i32) n
  let a[0] = 0
  in (a, b)
