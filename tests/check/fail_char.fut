-- A character without its closing quote.
-- ==
-- error: \[H1004]
def main = '\nx
