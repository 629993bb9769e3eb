-- The module of intrinsics is not opened.
-- ==
-- error: `intrinsics` takes no other name and is not opened.*H3019
open intrinsics

def main = 1i32
