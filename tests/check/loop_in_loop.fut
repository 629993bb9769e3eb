-- A loop whose value is never used, around nothing that changes: sizes of both are those of `ys`.
-- ==
-- input { [1i64, 2i64] } output { [1i64, 2i64] }
def main [n] (ys: [n]i64) : [n]i64 =
  loop z = ys
  for i < 3 do
    let v = loop w = z for j < 3 do z
    in z
