-- Payloads of unit, constructors without payload only, polymorphic constants.
-- tolerance: exact
-- ==
-- input { 3i64 }
-- output { [3i32, 3i32, 3i32] [1i32, 5i32, 0i32] 7i32 3i64 true true 1i64 true }
type u = #a () | #b ({}, i32) | #c
type only = #only
def nothing 'a : (#some a | #none) = #none
def empty 'a : [0]a = []

entry main (n: i64) =
  let us: [n]u = map (\i -> if i == 0 then #a () else if i == 1 then #b ({}, 5) else #c) (iota n)
  let os: [n]only = replicate n #only
  let x = map (\o -> match o case #only -> 3i32) os
  let y = map (\u -> match u case #a () -> 1i32 case #b ({}, k) -> k case #c -> 0) us
  let z = match nothing case #some k -> k case #none -> 7i32
  let units = replicate n ()
  let (un, _) = unzip (zip units (iota n))
  in (x, y, z, length units, un == units, os == os, length (empty ++ [1i32]), (empty : [0](i32, bool)) == [])
