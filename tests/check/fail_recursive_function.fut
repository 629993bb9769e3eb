-- A recursive function passes functions on as they are.
-- ==
-- error: calls itself with another function as argument 1.*H3013
def f (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g 0 else f (\x -> g (x + 1)) (n - 1)
def main (n: i32) : i32 = f (+ 1) n
