-- Arguments are evaluated from the last to the first: the lambda is made before its size is known.
-- ==
-- error: used before it is known.*H4002
def g 'a (x: a) (f: a -> a) = f x
def main (xs: []i32) = g (filter (> 0) xs) (\x -> x)
