-- A decimal number is no integer.
-- ==
-- error: not an `i32` \[H1002]
def main = 1.5i32
