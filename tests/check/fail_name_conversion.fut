-- The modules of scalar types convert by their members.
-- ==
-- error: unknown name `f32`: it is a module, not a value.*H3001.*its members convert: `f32.i64 n`
def main (n: i64) = f32 n / 2
