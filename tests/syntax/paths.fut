-- Updates and sections along paths of fields and indices.
-- ==
-- input { [1, 2, 3] } output { [1, 9, 3] 4 [1, 7, 3] 5 6 2 [8, 2, 3] }
def main (xs: [3]i32) =
  let r = {a = copy xs, b = (0, {c = 1})}
  let r' = copy r with a[1] = 9 with b.1.c = 4
  let s = (copy xs, copy xs)
  let s.0[1] = 7
  let t = [(1, 2), (3, 4)]
  let t[1].0 = 5
  let t[0].1 = 6
  let u = copy r with a = [8, 2, 3]
  in (r'.a, r'.b.1.c, s.0, t[1].0, t[0].1, (.a[1]) r, u.a)
