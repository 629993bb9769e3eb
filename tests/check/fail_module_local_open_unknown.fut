-- A module that does not exist is opened.
-- ==
-- error: unknown module `n`.*H3019
module m = {def x = 1i32}
def main = n.(x + 1)
