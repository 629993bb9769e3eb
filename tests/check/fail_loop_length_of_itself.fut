-- The size of a carried array is not the `length` of that array: it may change with every step.
-- ==
-- error: size `n` is not `_`.*H4001
def main [n] (steps: i64) (counts: [n]i64) : []i64 =
  loop counts for i < steps do
    map2 (\count at -> count + at * i) counts (iota (length counts))
