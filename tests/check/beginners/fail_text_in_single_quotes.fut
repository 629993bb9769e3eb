-- A text in the quotes of a letter.
-- ==
-- error: expected an expression.*help: a text stands in double quotes
def main = 'ab'
