-- A module is no value.
-- ==
-- error: unknown name `m`: it is a module.*H3001
module m = {def x = 1i32}
def main = m
