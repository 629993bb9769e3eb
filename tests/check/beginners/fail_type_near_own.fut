-- A type of other languages that is near a type of the program: that comes first.
-- ==
-- error: unknown type .int., did you mean .ints.\? .H30[0-9]*.*help: integers are .i8. to .i64.
type ints = i32
def main (x: int) = x
