-- Two constants have two sizes, even if the same makes them.
-- ==
-- error: size `b\$count` is not `a\$count`.*H4001
def few (n: i32) = filter (< n) [1, 2, 3]
def a = few 2
def b = few 3
def main = map2 (+) a b
