-- The second case without its word, within parentheses.
-- ==
-- error: found .->.*help: each case begins with .case.
def main (x: #a | #b) = 1 + (match x case #a -> 1 #b -> 2)
