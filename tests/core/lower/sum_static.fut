-- A constructor that is known, with a function inside, leaves nothing behind; one that is not known
-- is a tag and slots, with zeros for what it has no use for.
type^ op = #unary (i32 -> i32) | #none

type either [n] = #left [n]i32 | #right f32 f32

def run (o: op) (x: i32) : i32 =
  match o
  case #unary f -> f x
  case #none -> x

def main [n] (c: bool) (xs: [n]i32) (y: f32) : (i32, either [n]) =
  (run (#unary (+ 1)) 5 + run #none 6, if c then #left xs else #right y 2)
