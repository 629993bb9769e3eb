-- Names of other languages.
-- ==
-- error: unknown name .len.*help: .length xs. is the outer size
def main (xs: []i32) = len xs
