-- The escapes of text are those of Haskell; `SOH` is not `SO` and an `H`.
-- ==
-- input { } output { [0u8, 65u8, 1u8, 14u8, 72u8, 127u8, 1u8, 31u8, 65u8, 66u8, 49u8, 48u8] }
def main : [12]u8 = "\NULA\SOH\SO\&H\DEL\^A\^_A\   \B\49\&0"
