-- A pattern leaves a field out by `a = _`.
-- ==
-- error: the field `_a` begins with `_`: to leave a field out, write `a = _` \[H3010\]
def main ({_a, b}: {a: i32, b: i32}) = b
