-- A hole has no value that tells its sizes: an entry, or a call, would need to know them.
-- ==
-- error: nothing determines a size of this hole, of type `\[_\]f32`.*H4002
def total (x: bool) : []f32 = ???
def two : [2]f32 = ???
def main = f32.sum ???
