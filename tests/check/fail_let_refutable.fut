-- `let` has one case only.
-- ==
-- error: this pattern does not match `#none`.*H3016
def main (x: #some i32 | #none) : i32 = let (#some y) = x in y
