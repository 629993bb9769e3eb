-- A fraction without digits.
-- ==
-- error: no fields.*help: a number with a fraction has digits on both sides
def main = 5.
