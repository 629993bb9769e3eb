-- A size that only an abstract type has comes back with its values, and functions beside them may
-- need it.
-- ==
-- input { [3, -1, 4, -1, 5] 2i64 } output { [5] 3i64 }

module runs
  : {
      type run [p]
      val runs [n] : [n]i32 -> ?[k][p].(run [p] -> ?[m].[m]i32, [k](run [p]))
    } = {
  type run [p] = ([p](), i64, i64)

  def runs [n] (s: [n]i32) =
    let starts = filter (\i -> i == 0 || s[i - 1] < 0) (indices s)
    let ends = filter (\i -> i == n || s[i - 1] < 0) (map (+ 1) (iota n))
    let c = length starts
    in ( \(_, i, j) -> s[i:j]
       , map2 (\i j -> ([], i, if s[j - 1] < 0 then j - 1 else j))
              (starts :> [c]i64)
              (ends :> [c]i64)
       )
}

def main (xs: []i32) (i: i64) =
  let (get, rs) = runs.runs xs
  in (get rs[i], length rs)
