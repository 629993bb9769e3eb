-- Recursion whose arrays grow, with functions handed on, inside map.
-- tolerance: exact
-- ==
-- input { 20i32 }
-- output { 6765i32 9i32 [1i32, 2i32, 5i32, 4i32, 3i32, 2i32, 1i32] [61i32, 62i32, 63i32] [0i32, 1i32, 1i32, 2i32, 3i32, 5i32, 8i32, 13i32] 320i32 }
def fib (n: i32) : i32 = if n < 2 then n else fib (n - 1) + fib (n - 2)
def ack (m: i32) (n: i32) : i32 = if m == 0 then n + 1 else if n == 0 then ack (m - 1) 1 else ack (m - 1) (ack m (n - 1))
def grow [n] (k: i32) (xs: [n]i32) : []i32 = if k == 0 then xs else grow (k - 1) (xs ++ [k])
def mapr 'a [n] (f: a -> a) (k: i32) (xs: [n]a) : [n]a = if k == 0 then xs else mapr f (k - 1) (map f xs)
def treesum (d: i32) (f: i32 -> i32) : i32 = if d == 0 then f 1 else treesum (d - 1) f + f d
entry main (n: i32) = (fib n, ack 2 3, grow 5 [1, 2], mapr (+ n) 3 [1, 2, 3], map fib (map i32.i64 (iota 8)), treesum 5 (* n))
