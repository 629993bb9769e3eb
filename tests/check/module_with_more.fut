-- A refinement may take more types for its parameters than the type that it stands for.
-- ==
-- input { 3 } output { 4 }
module type box = {type t 'a}
module type plain = box with t '^a = a
def main (x: i32) : i32 = x + 1
