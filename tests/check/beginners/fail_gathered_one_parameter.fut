-- A tuple for a function of one parameter.
-- ==
-- error: ^error: argument 1 of .i64.sgn. has type .\(i64, i64\)., but .i64. is needed .H3002\S(?!.*help)
def main (a: i64) = (a, a) |> i64.sgn
