-- A pattern without its last parenthesis is no function.
-- ==
-- error: expected .\). at the end of the pattern, found .->. .H2001\S(?!.*help)
def main (x: (i32, i32)) = match x case (a, b -> a
