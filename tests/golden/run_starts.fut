-- Elements that differ from their neighbour are counted and kept by two kernels, which compare them
-- themselves: no flags go through memory.
-- ==
-- input { [3i32, 3i32, 1i32, 1i32, 1i32, 3i32] } output { [3i32, 1i32, 3i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
def main (xs: []i32) : []i32 = unique (==) xs
