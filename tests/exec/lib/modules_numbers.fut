-- Imported by ../modules_import.fut.
import "modules_more"

module type ordered = {type t val less : t -> t -> bool}

module sort (T: ordered) = {
  def insert [n] (x: T.t) (xs: [n]T.t) : []T.t =
    let (small, large) = partition (\y -> T.less y x) xs
    in small ++ [x] ++ large

  def smallest [n] (xs: [n]T.t) : T.t =
    reduce (\a b -> if T.less b a then b else a) xs[0] xs
}

def shared = hidden + 1
entry main (x: i32) = x
local def secret = 3i32
