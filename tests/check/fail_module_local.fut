-- A local definition is for its module alone.
-- ==
-- error: unknown name `m.x`.*H3001
module m = {local def x = 1i32 def y = x}
def main = m.x
