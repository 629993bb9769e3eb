-- Definitions see themselves, and those before them.
-- ==
-- error: unknown name `odd`.*H3001
def even (n: i32) : bool = n == 0 || odd (n - 1)
def odd (n: i32) : bool = n != 0 && even (n - 1)
