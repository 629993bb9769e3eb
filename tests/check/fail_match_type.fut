-- Patterns have the type of what is matched.
-- ==
-- error: this pattern has type .*H3002
def main (x: i32) : i32 = match x case true -> 1 case _ -> 2
