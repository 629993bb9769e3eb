-- Fields and indexes, with spaces and line breaks where they change nothing.
-- ==
-- input { [1, 2, 3] } output { 2 3 [3, 1] 5 1 3 2 }
def f (r: {a: {b: [3]i32, 0: i32}, c: (i32, (i32, i32))}) =
  (r.a.b[1], (r)
               .c.1.0, r.a.b[2::-2], (r.c).1.1, r.a.0, (.c.1.0) r, (.[1]) r.a.b)
def main (xs: [3]i32) = f {a = {b = xs, 0 = 1}, c = (2, (3, 5))}
