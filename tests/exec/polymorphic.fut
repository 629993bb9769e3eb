-- Polymorphic definitions with size parameters, used at scalars, tuples and rows.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32] [[1i64, 2i64], [3i64, 4i64]] }
-- output { [3i32, 2i32, 1i32] [[3i64, 4i64], [1i64, 2i64]] [2i64, 1i64, 0i64] 3i32 }
def backwards [n] 't (a: [n]t) : [n]t = map (\i -> a[n - 1 - i]) (iota n)
def second 'a 'b (p: (a, b)) : b = p.1

entry main [n] [m] [k] (a: [n]i32) (b: [m][k]i64) =
  let (_, is) = unzip (backwards (zip a (iota n)))
  in (backwards a, backwards b, is, second (true, 3i32))
