-- `m.(e)`: names of the module before all others, but not before those that `e` itself binds.
-- tolerance: exact
-- ==
-- input { 3i32 } output { 13i32 8i32 6i32 103i32 5i32 }
module m = {
  def x = 10i32
  def (+) (a: i32) (b: i32) = a i32.+ b
  def twice (f: i32 -> i32) a = f (f a)
  module n = {def x = 100i32}
}

def x = 1i32

entry main (y: i32) =
  let x = y
  in (m.(x + y), m.(let x = 5i32 in x + y), m.(\z -> z + y) y, m.n.(x + y), m.(twice (+ 1)) x)
