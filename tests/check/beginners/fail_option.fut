-- A value that may be missing, as in other languages.
-- ==
-- error: unknown name .Some.*help: constructors begin with .#.
def main = Some 3
