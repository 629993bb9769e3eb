-- What a branch gives may turn out to be an array only when a field is known: its size is its own.
-- ==
-- input { [3, -1, 2] }
-- output { [3, 2] [3, -1] }
-- input { empty([0]i32) }
-- output { [1] [1] }

def positive (xs: []i32) =
  if null xs then [1] else (filter (> 0) xs, true) |> (.0)

def first (xs: []i32) =
  match length xs
  case 0 -> [1]
  case n -> {some = xs[:n - 1], n} |> (\r -> r.some)

def main (xs: []i32) = (positive xs, first xs)
