-- A sort of a whole array stays a kernel; one of rows is done by their cells.
-- ==
-- input { [3u8, 1u8] [[2u8, 1u8], [4u8, 3u8]] }
-- output { [1u8, 3u8] [[1u8, 2u8], [3u8, 4u8]] }
def main [n] [m] (xs: [n]u8) (ys: [n][m]u8) : ([n]u8, [n][m]u8) = (u8.sort xs, map u8.sort ys)
