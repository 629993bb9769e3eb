-- Rows that a cell does not compute, but takes, fills, chooses or changes: an invocation for each
-- element.

def main [n] [m] (table: [n][m]f32) (ids: [n]i64) (flags: [n]bool) =
  let taken = map (\i -> #[unsafe] table[i]) ids
  let filled = map (\i -> replicate m (f32.i64 i)) ids
  let chosen = map2 (\flag row -> if flag then map (* 2) row else replicate m 0) flags table
  let changed = map2 (\i row -> #[unsafe] copy row with [i] = 1) ids table
  in (taken, filled, chosen, changed)
