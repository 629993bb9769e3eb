-- Sections along a path.
-- ==
-- input { [1, 2, 3] }
-- output { [3, 4, 5] }
def main (xs: []i32) : []i32 = map (\x -> {a = ([x, x + 2], x)}) xs |> map (.a.0[1])
