-- Latin-1 text.
-- ==
-- error: \[H1005]
def main = "café"
