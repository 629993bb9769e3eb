-- Sizes computed of arrays that bring sizes of their own: the length of a filter, a sum over one.

def positive (xs: []i32) (ys: [length (filter (> 0) xs)]i32) = i32.sum ys
def passing (p: i32 -> bool) (xs: []i32) (ys: [length (filter p xs)]i32) = map (* 2) ys

def twice (p: i32 -> bool) (xs: []i32) (ys: []i32) =
  passing p xs (ys :> [length (filter p xs)]i32)

def summed (xs: []i64) (ys: [2 * i64.sum (filter (> 0) xs)]i32) = length ys

-- ==
-- entry: of_filter
-- input { [1, -2, 3] [10, 20] } output { 30 [20, 40] }
-- input { [1, -2, 3] [10] } error: `\[1\].*`.*

entry of_filter (xs: []i32) (ys: []i32) =
  ( positive xs (ys :> [length (filter (> 0) xs)]i32)
  , twice (> 0) xs ys
  )

-- ==
-- entry: of_sum
-- input { [1i64, -2i64, 2i64] } output { 6i64 }

entry of_sum (xs: []i64) =
  summed xs (replicate 6 0 :> [2 * i64.sum (filter (> 0) xs)]i32)

def chosen (xs: []i32) (ys: [match length xs case 0 -> 1 case n -> n]i32) = i32.sum ys
def applied (xs: []i32) (ys: [(\zs -> length (filter (> 0) zs)) xs]i32) = i32.sum ys

-- A function calls itself with arrays of other sizes.
def falling [n] (xs: [n]i32) (ys: [length (filter (> 0) xs)]i32) : i32 =
  if n < 2
  then i32.sum ys
  else let xs' = drop 1 xs
       let k = length (filter (> 0) xs')
       in i32.sum ys + falling xs' (replicate k 1 :> [length (filter (> 0) xs')]i32)

-- ==
-- entry: of_bound_names
-- input { [1, -2, 3] [1, 2, 3] } output { 6 3 5 }

entry of_bound_names (xs: []i32) (ys: []i32) =
  ( chosen xs (ys :> [match length xs case 0 -> 1 case n -> n]i32)
  , applied xs (take 2 ys :> [(\zs -> length (filter (> 0) zs)) xs]i32)
  , falling xs (take 2 ys :> [length (filter (> 0) xs)]i32)
  )

def of_floats (xs: []f32) (ys: [length (filter (> 0) xs)]i32) = i32.sum ys

def of_any 'a [n] (p: a -> bool) (xs: [n](a, i32)) (ys: [length (filter (\x -> p x.0) xs)]i32) =
  length ys

def of_records (r: {xs: []u8, k: i8}) (ys: [match r.k + 1 case 1 -> 1 case _ -> length (filter (== 0) r.xs)]i32) =
  length ys

-- ==
-- entry: of_types
-- input { [1f32, -2f32] [1, 2] } output { 1 1i64 1i64 0i64 }

entry of_types (xs: []f32) (ys: []i32) =
  ( of_floats xs (take 1 ys :> [length (filter (> 0) xs)]i32)
  , (let p x = x > 0f32
     let xs = zip xs ys
     in of_any p xs (take 1 ys :> [length (filter (\x -> p x.0) xs)]i32))
  , (let r = {xs = [0u8, 1], k = 0i8}
     in of_records r (take 1 ys :> [match r.k + 1 case 1 -> 1 case _ -> length (filter (== 0) r.xs)]i32))
  , (let r = {xs = [2u8, 1], k = 1i8}
     in of_records r (take 0 ys :> [match r.k + 1 case 1 -> 1 case _ -> length (filter (== 0) r.xs)]i32))
  )
