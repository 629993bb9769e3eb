-- The module of intrinsics has one name.
-- ==
-- error: `intrinsics` takes no other name and is not opened.*H3019
module m = intrinsics

def main = 1i32
