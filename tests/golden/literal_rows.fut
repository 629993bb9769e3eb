-- Short literals that a map writes and the next one reads by the element are each cell's own.
def main (n: i64) : [n]u32 =
  let words = map (\i -> let x = u32.i64 i in [x, x * 7, 128, x ^ 5]) (iota n)
  in map (\w -> loop acc = 17 for i < 8 do acc * 31 ^ w[(i * 3) % 4]) words
