-- Fields of other languages.
-- ==
-- error: found .:.*help: the value of a field is written .\{a = 1\}.
def main = {a: 1}
