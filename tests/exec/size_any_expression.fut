-- A size may be any expression: one that binds names, updates a record, or has a lambda.
-- ==
-- input { } output { [0i64, 1i64, 2i64] 3i64 2i64 }
def bound (xs: [let x = 2 in x + 1]i64) = xs
def updated (t: {n: i64}) (xs: [(t with n = 3).n]i64) = length xs
def counted : [(\x -> x + 1) 1]bool = [true, false] :> [(\x -> x + 1) 1]bool

entry main =
  let t = {n = 1}
  in (bound (iota 3 :> [let x = 2 in x + 1]i64), updated t (iota 3 :> [(t with n = 3).n]i64), length counted)
