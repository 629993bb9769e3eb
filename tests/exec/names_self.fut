-- A definition that uses its own name is recursive, whatever older ones there are; one
-- without parameters shadows an older one.
module rows = {
  def sum (n: i32) : i32 = if n == 0 then 0 else n + sum (n - 1)
}

def length = 5i32

-- ==
-- input { 4 } output { 10i32 5i32 }
entry main (n: i32) : (i32, i32) = (rows.sum n, length)
