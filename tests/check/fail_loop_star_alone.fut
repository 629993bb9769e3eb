-- A `*` loop value by itself begins with what may be consumed.
-- ==
-- error: `arr` is a parameter without `\*`, which this would consume \[H3015\]
def main (arr: []i32) = loop (e: *[]i32) = arr while length e > 1 do filter (> 1) e
