-- The result of a function parameter may be what that has captured.
-- ==
-- error: `g` is a parameter without `\*`
def f [n] (g: [n]i32 -> [n]i32) (xs: *[n]i32) : i32 =
  let ys = g xs
  let ys[0] = 1
  in ys[0]

def main (xs: *[]i32) : i32 = f (\xs -> xs) xs
