-- A loop of another language, which has no value.
-- ==
-- error: expected an expression, found .for.*help: a loop has a value: .loop
def main (n: i64) = for i < n do i
