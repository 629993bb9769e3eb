-- Elements of the array of `for` are lent.
-- ==
-- error: comes from outside
def main (xss: *[][]i32) : i32 =
  loop sum = 0 for xs in xss do sum + (xs with [0] = 1)[0]
