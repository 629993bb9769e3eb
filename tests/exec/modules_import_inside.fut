-- The body of a parametric module imports by the paths of its own file, whoever applies it.
-- ==
-- input { 2i32 } output { 86i32 [85i32, 0i32, 0i32] }
import "lib/modules_import_inside"
module ours = counted {def start = 2i32}
module pairs = ours.pairs {def count = 3i64}

entry main (x: i32) = (ours.next - 1 + x, copy pairs.stack.cells)
