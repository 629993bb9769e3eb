-- A fraction without a digit in front.
-- ==
-- error: expected an expression, found .\..*help: .0.5. is a number
def main = .5
