-- Only numbers and `bool`s have an order.
-- ==
-- error: .*H3008
def main (x: (bool, bool)) (y: (bool, bool)) : bool = x < y
