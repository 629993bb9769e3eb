-- Cases of other languages.
-- ==
-- error: found .case.*help: a value is in front of its cases: .match x case 0 -> 1
def main (x: i32) = case x of 0 -> 1
