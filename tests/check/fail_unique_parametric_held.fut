-- The function that comes back holds one result and gives it back at every call.
-- ==
-- error: `.*` is used after it was consumed \[H3015\]
def hold 'a 'b 'c (f: a -> b) (x: a) : c -> b = let y = f x in \_ -> y

def main (n: i64) =
  let k = hold (\m -> replicate m 1i32) n
  let a = k true
  let b = k false
  let a[0] = 0
  in (a, b)
