-- A step that consumes must give back what is its own.
-- ==
-- error: each step consumes `ys`, but the body may give back `xs`, which comes from outside
def main (n: i64) (xs: *[]i64) : []i64 =
  loop ys = copy xs for i < n do if i == 2 then xs else ys with [i] = 0
