-- What windows in a loop demand is demanded only if the loop runs, behind what fails earlier.
-- ==
-- input { 0i64 1i64 empty([0]i32) } output { empty([0]i32) }
-- ==
-- input { 2i64 1i64 empty([0]i32) }
-- error: an empty axis has no edge to pad with.*H7015
-- ==
-- input { 2i64 0i64 [1, 2] }
-- error: division by zero.*H7003
-- ==
-- input { 2i64 0i64 empty([0]i32) }
-- error: an empty axis has no edge to pad with.*H7015
-- ==
-- input { 2i64 1i64 [1, 2] } output { [8, 9] }
entry main [n] (steps: i64) (k: i64) (xs: [n]i32) : [n]i32 =
  loop xs for i < steps do
    map (\w -> (w[0] + w[1] + i32.i64 ((i + 1) / k)) * w[2] / w[2])
        (slide_1d 3 1 (pad_1d 1 1 #clamp xs))
    :> [n]i32
