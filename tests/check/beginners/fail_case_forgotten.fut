-- The second case without its word.
-- ==
-- error: found .->.*help: each case begins with .case.: .match x case 0 -> 1 case _ -> 2.
def main (x: #a | #b) = match x case #a -> 1 #b -> 2
