-- Only functions may use themselves.
-- ==
-- error: `ones` is defined by itself, only functions may be.*H3012
def ones = [1] ++ ones
def main (x: i32) : i32 = x
