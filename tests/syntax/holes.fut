-- A hole has any type; it fails only where it is reached.
-- ==
-- input { 1 } output { 2 }
-- input { 0 } error: hole
def main (x: i32): i32 = if x > 0 then x + 1 else ???
