-- A recursive call of a function that takes functions has all its arguments.
-- ==
-- error: takes functions and calls itself with 2 of 3 arguments.*H3013
def it (f: i64 -> i64) (n: i64) (x: i64) : i64 = if n == 0 then x else x |> it f (n - 1)
def main (x: i64) : i64 = it (+ 1) 3 x
