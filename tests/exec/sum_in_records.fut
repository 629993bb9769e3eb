-- Sums in records in arrays, updated step by step.
-- tolerance: exact
-- ==
-- input { 4i64 }
-- output { [0i32, 3i32, 0i32, 3i32] [4i32, 77i32, 4i32, 3i32] [[8.0f32, 16.0f32], [0.0f32, 0.0f32], [8.0f32, 16.0f32], [4.0f32, 8.0f32]] }
type dir = #n | #s | #e | #w
type maybe_t = #some [2]f32 | #none
type cell = {d: dir, v: (i32, maybe_t)}
def turn (d: dir) : dir = match d case #n -> #e case #e -> #s case #s -> #w case #w -> #n
def step (c: cell) : cell = c with d = turn c.d with v = (c.v.0 + 1, match c.v.1 case #some a -> #some (map (* 2) a) case #none -> #some [1, 2])
def num (d: dir) : i32 = match d case #n -> 0 case #e -> 1 case #s -> 2 case #w -> 3

entry main (n: i64) =
  let cells = replicate n {d = (#n : dir), v = (0i32, (#none : maybe_t))}
  let cells = iterate 3 (map step) cells
  let cells = map2 (\i c -> if i % 2 == 0 then step c else c) (iota n) cells
  let cells[1] = {d = #w, v = (77, #none)}
  in (map (\c -> num c.d) cells, map (\c -> c.v.0) cells, map (\c -> match c.v.1 case #some a -> a case #none -> [0, 0]) cells)
