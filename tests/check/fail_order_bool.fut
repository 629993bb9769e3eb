-- Only numbers have an order.
-- ==
-- error: .*H3008
def main (x: bool) (y: bool): bool = x < y
