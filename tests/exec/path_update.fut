-- Updates of fields and elements along one path; indices are evaluated once.
-- ==
-- input { [1, 2, 3] 1i64 }
-- output { [1, 7, 3] [10, 9, 30] }
def main (xs: *[3]i32) (i: i64) : ([3]i32, []i32) =
  let r = {a = {b = xs}, c = ([10i32, 20, 30], 5i32)}
  let s = r with a.b[i] = 7
  let t = s with c.0[i] = 9
  in (t.a.b, map (+ 0) t.c.0)
