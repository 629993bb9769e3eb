-- The new value of an update is evaluated before its array is consumed, and paths through records in
-- arrays go back into the array that they start from.
-- ==
-- input { 7 [10, 20, 30] }
-- output { [1, 7] [10, 10, 20] [10, 20, 10] [7, 8] [[1, 7, 3], [4, 5, 6]] }
def shifted (xs: *[]i32) = (xs with [1] = xs[0]) with [2] = xs[1]
def rolled (xs: *[]i32) = ((xs with [2] = xs[0]) with [1] = xs[1]) with [0] = xs[0]

entry main (x: i32) (ys: [3]i32) =
  let a: *[](i32, {a: [2]i32}) = [(1, {a = [1, 2]})]
  let b: *[]{r: {p: [2]i32}} = [{r = {p = [1, 2]}}, {r = {p = [3, 4]}}]
  let b = b with [1].r.p[0] = x
  let b = b with [1].r.p[1] = b[1].r.p[0] + 1
  let c: *[]{m: [2][3]i32} = [{m = [[1, 2, 3], [4, 5, 6]]}]
  in ( (a with [0].1.a[1] = x)[0].1.a
     , shifted (copy ys)
     , rolled (copy ys)
     , b[1].r.p
     , (c with [0].m[0][1] = x)[0].m
     )
