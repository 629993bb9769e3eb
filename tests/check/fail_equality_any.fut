-- Only what is known to be no function is compared.
-- ==
-- error: may be anything, which are not compared.*H3008
def same 'a (x: a) (y: a) = x == y
def main (x: i32) : bool = same x x
