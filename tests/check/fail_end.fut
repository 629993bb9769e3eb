-- The text ends inside an expression.
-- ==
-- error: found the end of the text \[H2003]
def main (x: i32) = if x > 0 then 1
