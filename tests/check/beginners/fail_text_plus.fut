-- Texts are arrays of bytes.
-- ==
-- error: is needed \SH3008\S(?!.*map).*help: .\+\+. joins two texts
def main = "a" + "b"
