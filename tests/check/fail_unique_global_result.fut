-- A result does not share with a definition.
-- ==
-- error: the result of `main` may share the memory of the definition `table`.*H3022
def table : []i32 = [1, 2, 3]
def main (i: i64) : []i32 = if i < 2 then table else copy table
