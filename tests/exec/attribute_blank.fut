-- `#[blank]` is a value without readers: it is not evaluated.
-- ==
-- entry: first
-- input { [4, 5] }
-- output { 4i32 2i64 }
-- input { empty([0]i32) }
-- output { -1i32 0i64 }
-- ==
-- entry: marked
-- input { [4, 0, 5] }
-- output { [25i32, -1i32, 20i32] }

type found = {at: i64, value: (i32, [2]f32), kind: #some i32 | #none}

def search [n] (xs: [n]i32) : found =
  if n == 0
  then #[blank] {at = xs |> map i64.i32 |> head, value = (xs[0], [f32.i32 xs[0], 1]), kind = #some xs[0]}
  else {at = n, value = (xs[0], [0, 1]), kind = #none}

entry first [n] (xs: [n]i32) =
  let r = search xs
  in (if n == 0 then -1 else r.value.0, if n == 0 then 0 else r.at)

entry marked (xs: []i32) =
  let ys = map (\x -> if x == 0 then #[blank] 100 / x else 100 / x) xs
  in map2 (\x y -> if x == 0 then -1 else y) xs ys
