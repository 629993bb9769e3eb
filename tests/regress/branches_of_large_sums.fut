-- Branches of one sum: what of the second was looked at lay in a table that grew (the checker died).
-- ==
-- input { 3 } output { 60 }
type s = #c0 [2]i32 | #c1 [2]i32 | #c2 [2]i32 | #c3 [2]i32 | #c4 [2]i32 | #c5 [2]i32 | #c6 [2]i32 | #c7 [2]i32 | #c8 [2]i32 | #c9 [2]i32 | #c10 [2]i32 | #c11 [2]i32 | #c12 [2]i32 | #c13 [2]i32 | #c14 [2]i32 | #c15 [2]i32 | #c16 [2]i32 | #c17 [2]i32 | #c18 [2]i32 | #c19 [2]i32 | #c20 [2]i32 | #c21 [2]i32 | #c22 [2]i32 | #c23 [2]i32 | #c24 [2]i32 | #c25 [2]i32 | #c26 [2]i32 | #c27 [2]i32 | #c28 [2]i32 | #c29 [2]i32 | #c30 [2]i32 | #c31 [2]i32 | #c32 [2]i32 | #c33 [2]i32 | #c34 [2]i32 | #c35 [2]i32 | #c36 [2]i32 | #c37 [2]i32 | #c38 [2]i32 | #c39 [2]i32 | #c40 [2]i32 | #c41 [2]i32 | #c42 [2]i32 | #c43 [2]i32 | #c44 [2]i32 | #c45 [2]i32 | #c46 [2]i32 | #c47 [2]i32 | #c48 [2]i32 | #c49 [2]i32 | #c50 [2]i32 | #c51 [2]i32 | #c52 [2]i32 | #c53 [2]i32 | #c54 [2]i32 | #c55 [2]i32 | #c56 [2]i32 | #c57 [2]i32 | #c58 [2]i32 | #c59 [2]i32
def one (x: i32) : s = if x > 2 then #c0 [x, 20] else #c59 [1, 1]
def two (x: i32) : s = if x > 3 then #c7 [x, 20] else #c8 [0, 1]

def main (x: i32) =
  let a = one x
  let b = two x
  let a = if x > 0 then a else b
  let b = if x > 1 then a else b
  let a = if x > 2 then a else b
  let b = if x > 3 then a else b
  let a = if x > 4 then a else b
  let b = if x > 5 then a else b
  let a = if x > 6 then a else b
  let b = if x > 7 then a else b
  let a = if x > 8 then a else b
  let b = if x > 9 then a else b
  let a = if x > 10 then a else b
  let b = if x > 11 then a else b
  let a = if x > 12 then a else b
  let b = if x > 13 then a else b
  let a = if x > 14 then a else b
  let b = if x > 15 then a else b
  let a = if x > 16 then a else b
  let b = if x > 17 then a else b
  let a = if x > 18 then a else b
  let b = if x > 19 then a else b
  let a = if x > 20 then a else b
  let b = if x > 21 then a else b
  let a = if x > 22 then a else b
  let b = if x > 23 then a else b
  let a = if x > 24 then a else b
  let b = if x > 25 then a else b
  let a = if x > 26 then a else b
  let b = if x > 27 then a else b
  let a = if x > 28 then a else b
  let b = if x > 29 then a else b
  let a = if x > 30 then a else b
  let b = if x > 31 then a else b
  let a = if x > 32 then a else b
  let b = if x > 33 then a else b
  let a = if x > 34 then a else b
  let b = if x > 35 then a else b
  let a = if x > 36 then a else b
  let b = if x > 37 then a else b
  let a = if x > 38 then a else b
  let b = if x > 39 then a else b
  in match a
     case #c0 v -> v[0] * v[1]
     case #c8 v -> v[0] + 60 * v[1]
     case _ -> -1
