-- A word of other languages that is near a name of the program: that comes first.
-- ==
-- error: unknown name .size., did you mean .sizes.\? .H3001.*help: .length xs. is the outer size
def sizes = 3i64
def main (xs: []i32) = take size xs
