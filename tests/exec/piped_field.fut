-- A field that a pipe asks for has sizes that only its value knows: a declared `[]` shows them.
-- ==
-- entry: rest expanded
-- input { [3i64, 0i64, 2i64] } output { [0i64] }
--
-- ==
-- entry: chosen
-- input { [3i64, 0i64, 2i64] } output { [0i64, 1i64] }
def negative (ns: []i64) : []i64 = partition (> 0) ns |> (.1)
def data (ns: []i64) : []i64 = flatmap' (\(n: i64) : []i64 -> iota n) ns |> (.3)

entry rest (ns: []i64) = negative ns
entry expanded (ns: []i64) = negative (map (\i -> if i == 0 then 0 else 1) (indices (data ns)))
entry chosen (ns: []i64) = (if length ns > 5 then filter (> 0) ns else partition (> 0) ns |> (.0)) |> indices
