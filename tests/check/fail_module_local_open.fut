-- What a module opens locally is for itself alone.
-- ==
-- error: unknown name `n.x`.*H3001
module m = {def x = 1i32}
module n = {local open m def y = x}
def main = n.x
