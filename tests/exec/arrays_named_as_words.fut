-- Arrays whose names are words of Imp, in the text that a stage prints and reads.
-- ==
-- input { 3i64 } output { [7, 2, 2] [0, 9, 4] }
def main (n: i64) : ([n]i32, [n]i32) =
  let copy = loop copy = replicate n 2i32 for i < 1 do copy with [i] = 7
  let turn = loop turn = map i32.i64 (map (* 2) (iota n)) for i < 1 do turn with [i + 1] = 9
  in (copy, turn)
