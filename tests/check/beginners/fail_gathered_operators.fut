-- Arguments as one tuple: what begins with a bracket may still need parentheses.
-- ==
-- error: help: several arguments are written .f \(\[a\] \+\+ \[a\]\) \(\(a \+ 1\) \* \(a \+ 2\)\).
def f (xs: []i32) (y: i32) = map (+ y) xs
def main (a: i32) = f ([a] ++ [a], (a + 1) * (a + 2))
