-- One constructor: no tag.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] } output { [11i32, 12i32] 3i32 }
type wrapped = #wrapped i32

def unwrap (w: wrapped) : i32 = let #wrapped x = w in x

entry main [n] (xs: [n]i32) : ([n]i32, i32) =
  let ws: [n]wrapped = map (\x -> #wrapped x) xs
  in (map (\(#wrapped x) -> x + 10) ws, i32.sum (map unwrap ws))
