-- A hole has any type and fails only when it is reached.
-- ==
-- input { 1 } output { 2 }
-- input { 0 } error: hole
def main (x: i32) : i32 = if x == 0 then ??? else x + 1
