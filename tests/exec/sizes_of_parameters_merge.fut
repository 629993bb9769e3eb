-- The `[]` of a parameter is a size of its own, unless the body needs it to be another one.
-- ==
-- entry: same
-- input { [1,2,3] [10,20,30] } output { [11,22,33] }
-- input { [1,2,3] [10,20] } error: shape
-- ==
-- entry: products
-- input { [[1,2],[3,4],[5,6]] [[1,0],[1,1]] } output { [[1,3],[3,7],[5,11]] }
-- ==
-- entry: apart
-- input { true [1,2,3] [10,20] } output { [1,2,3] }
-- ==
-- entry: carried
-- input { [1,2] [10,20] } output { [31,62] }
-- ==
-- entry: known
-- input { 2i64 [1,2] } output { [1,3] }
-- ==
-- entry: inside
-- input { [1,2] [5,6] } output { [6,8] [6,7] }
-- ==
-- entry: recursive
-- input { [1,2,3] [4,5] } output { 11 }

entry same (xs: []i32) (ys: []i32) = map2 (+) xs ys

entry products (xs: [][]i32) (ys: [][]i32) = map (\x -> map (\y -> i32.sum (map2 (*) x y)) ys) xs

entry apart (b: bool) (xs: []i32) (ys: []i32) = if b then xs else ys

entry carried (xs: []i32) (ys: []i32) = loop zs = xs for _i < 3 do map2 (+) zs ys

entry known (n: i64) (xs: []i32) : [n]i32 = map2 (+) (map i32.i64 (iota n)) xs

entry inside (xs: []i32) (ys: []i32) =
  let add (as: []i32) (bs: []i32) = map2 (+) as bs
  let twice (as: []i32) = if length as > 5 then 2 else 1i32
  in (add xs ys, [twice [1, 2, 3] + ys[0], twice [1, 2] + ys[1]])

def count [n] (xs: [n]i32) (ys: []i32) : i32 =
  if null xs then i32.sum ys else i32.i64 (length xs - length xs) + count ([] : []i32) ys

entry recursive (xs: []i32) (ys: []i32) = 2 + count xs ys
