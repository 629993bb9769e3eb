-- `>>>` is a member of modules.
-- ==
-- error: `>>>` is in the modules of the integer types only.*H3001
def main x y = x >>> (y : i32)
