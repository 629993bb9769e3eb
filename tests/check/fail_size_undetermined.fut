-- `rep` takes its size from the context, and here is none.
-- ==
-- error: nothing determines a size here.*H4002
def main (x: i32) : i64 = length (rep x)
