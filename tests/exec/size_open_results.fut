-- Sizes that nothing in a definition determines become its parameters: each use has its own.
-- ==
-- entry: repeated
-- input { 5 } output { [5, 5, 5] [5] }
--
-- ==
-- entry: nested
-- input { 5 } output { [[6, 6], [6, 6], [6, 6]] }
--
-- ==
-- entry: constant
-- input { 2i64 } output { [1, 1] [1, 1, 1] }
--
-- ==
-- entry: member
-- input { 1.5f32 } output { [1.5f32, 1.5f32] }
def again x = rep x
entry repeated (x: i32) : ([3]i32, [1]i32) = (again x, again x)

def square (x: i32) = rep (again (x + 1))
entry nested (x: i32) : [3][2]i32 = square x

def ones = rep 1i32
entry constant (n: i64) : ([n]i32, [n + 1]i32) = (ones, ones)

module filled : {val filled [n] : f32 -> [n]f32} = {
  def filled (x: f32) = again x
}

entry member (x: f32) : [2]f32 = filled.filled x
