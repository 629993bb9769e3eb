-- An array of bytes may be numbers or a text: both ways are shown.
-- ==
-- error: help: for each element of an array write .map.*for those of two .map2.*help: .\+\+. joins two texts
def main [n] (xs: [n]u8) (ys: [n]u8) = xs + ys
