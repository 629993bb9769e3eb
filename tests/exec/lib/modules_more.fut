-- Imported by modules_numbers.fut and ../modules_import.fut.
def hidden = 41i32

module stack = {
  type t [n] = {top: i64, cells: [n]i32}
  def empty (n: i64) : t [n] = {top = 0, cells = replicate n 0i32}

  def push [n] (x: i32) (s: *t [n]) : *t [n] =
    let cells = s.cells with [s.top] = x in {top = s.top + 1, cells}
}
