-- Plain modules, nested ones, qualified names.
-- tolerance: exact
-- ==
-- input { 3i32 }
-- output { 9i32 12i32 6i32 }
module shapes = {
  def area (x: i32) : i32 = x * x
  module outline = {def length (x: i32) : i32 = 4 * x}
}

def area (x: i32) : i32 = 2 * x
entry main (x: i32) : (i32, i32, i32) = (shapes.area x, shapes.outline.length x, area x)
