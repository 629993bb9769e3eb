-- An operator without a definition.
-- ==
-- error: unknown name `\+\+\+`.*H3001
def main (x: i32) : i32 = x +++ x
