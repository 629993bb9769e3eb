-- A definition that is checked again is shown once.

def grown [n] (xs: [n]i64) =
  loop acc = xs
  for i < 3i64 do
    let kept = (loop part = acc for _j < i do xs) in kept ++ acc

def main (xs: []i64) = length (grown xs)
