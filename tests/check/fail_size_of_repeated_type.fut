-- An operator on values of one type keeps their size: two arrays together have another, though 0 + 0 is 0.
-- ==
-- error: \[H400[0-9]\]
def main (xss: [][]i32) = reduce (++) [] xss
