-- Type parameters without a parameter behind them make no local function.
-- ==
-- error: expected `=` or a parameter after the name, found `=` \[H2001]
def main (x: i32) = let y 'a = x in y
