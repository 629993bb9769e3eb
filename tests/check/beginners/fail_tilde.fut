-- The complement of other languages.
-- ==
-- error: found .~.*help: .!x. flips the bits
def main (x: i32) = ~x
