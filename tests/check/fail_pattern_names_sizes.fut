-- Names of a pattern are no sizes in the same pattern.
-- ==
-- error: unknown name `k`.*H3001
def main (n: i64) = loop (k, xs: [k]i64) = (n, iota n) for i < 3i32 do (k + 1, iota (k + 1))
