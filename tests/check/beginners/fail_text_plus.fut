-- Texts are arrays of bytes.
-- ==
-- error: help: .\+\+. joins two texts
def main = "a" + "b"
