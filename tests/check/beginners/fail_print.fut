-- An effect of other languages: values are shown, and traced.
-- ==
-- error: unknown name .print.*help: an expression shows its value; within a program .#\[trace\] e. prints e
def main (n: i64) = print n
