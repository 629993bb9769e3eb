-- A failure as in Haskell.
-- ==
-- error: unknown name .error.*help: .assert c e. is e
def main (x: i32) : i32 = if x > 0 then x else error "negative"
