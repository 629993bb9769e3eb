-- A declared size is written out as a sum of products.
-- ==
-- error: written out, this size has too many terms; compute it with `let` first.*H4002
def f (a: i64) (b: i64) (c: i64) (d: i64) : [(a + b + c + d) * (a + b + c + d) * (a + b + c + d) * (a + b + c + d)]i32 =
  replicate 0 0i32
