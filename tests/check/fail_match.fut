-- `match` is for a later version; there is one error and not one for each case.
-- ==
-- error: `match` .*\[H2006]
def main (x: i32) = match x
                    case 1 -> 2
                    case _ -> 3
