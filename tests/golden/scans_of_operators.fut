-- Scans of operators of several operations look back at tiles: their sizes by the words of a value.
def affine (a: f32, b: f32) (c: f32, d: f32) = (a * c, b * c + d)
def decimal (a: i64, b: i64, f: bool) (c: i64, d: i64, g: bool) = if g then (c, d, g) else (a * d + c, b * d, f)

def main [n] (xs: [n]f32) (ys: [n]f32) (cs: [n]i64) (ds: [n]i64) (fs: [n]bool) =
  (scan affine (1, 0) (zip xs ys), scan decimal (0, 1, false) (zip3 cs ds fs))
