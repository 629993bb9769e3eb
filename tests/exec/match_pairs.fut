-- A match on two sums at once.
-- tolerance: exact
-- ==
-- input { 3i32 }
-- output { [[6i32, 1i32, 3i32, 8i32], [1i32, -4i32, 5i32, 3i32], [10i32, 5i32, 14i32, 12i32], [8i32, 3i32, 12i32, 10i32]] }
type expr = #lit i32 | #neg i32 | #add i32 i32 | #if bool i32 i32
def eval (e: expr) : i32 = match e case #lit x -> x case #neg x -> -x case #add a b -> a + b case #if c a b -> if c then a else b
def fuse2 (a: expr) (b: expr) : expr = #add (eval a) (eval b)

def fuse (a: expr) (b: expr) : expr =
  match (a, b)
  case (#lit x, #lit y) -> #lit (x + y)
  case (#neg x, _) -> fuse2 (#lit (-x)) b
  case (_, #neg y) -> fuse2 a (#lit (-y))
  case (#if true x _, b) -> #add x (eval b)
  case (#if false _ y, b) -> #add y (eval b)
  case (#add x y, b) -> #add (x + y) (eval b)
  case (a, #add x y) -> #if (x > y) (eval a) x
  case (#lit x, #if c y z) -> #if c (x + y) (x + z)

entry main (k: i32) =
  let es: []expr = [#lit k, #neg 2, #add 3 4, #if (k > 2) 5 6]
  in map (\a -> map (\b -> eval (fuse a b)) es) es
