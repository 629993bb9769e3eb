-- Imported by ../modules_import_inside.fut, which has no import of these names.
module counted (P: {val start : i32}) = {
  import "modules_more"
  module numbers = import "modules_numbers"
  def next = hidden + numbers.shared + P.start

  module pairs (Q: {val count : i64}) = {
    module more = import "modules_more"
    def stack = more.stack.push next (more.stack.empty Q.count)
  }
}
