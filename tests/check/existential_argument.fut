-- Where any size is fine, a function of known size is as well.
-- ==
-- input { [1, -2, 3] } output { [1i32, 3i32] [1i32, -2i32, 3i32] }
def apply [n] (f: [n]i32 -> []i32) (xs: [n]i32) : []i32 = f xs

def main [n] (xs: [n]i32) = (apply (filter (> 0)) xs, apply (\ys -> ys) xs)
