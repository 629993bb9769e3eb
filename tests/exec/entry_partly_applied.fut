-- An entry takes all arguments that its value waits for, as one without parameters does.
-- ==
-- entry: add
-- input { 3 [1,2,3] } output { [4,5,6] }
-- ==
-- entry: scaled
-- input { [1,2] 2 [10,20] } output { [12,24] }
-- ==
-- entry: divided
-- input { 0 [1,2,3] } error: division by zero
-- ==
-- entry: curried
-- input { 1 2 3 } output { 7 }

entry add y = map (\x -> x + y)

entry scaled (xs: []i32) = \(k: i32) (ys: []i32) -> map2 (\x y -> x * k + y) xs ys

entry divided y = map (\x -> #[noinline] x / y)

entry curried (x: i32) = \(y: i32) -> \(z: i32) -> x + y * z
