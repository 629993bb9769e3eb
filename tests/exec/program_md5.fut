-- MD5 of bytes.
-- ==
-- input { empty([0]u8) }
-- output { [0xd4u8,0x1du8,0x8cu8,0xd9u8,0x8fu8,0x00u8,0xb2u8,0x04u8,0xe9u8,0x80u8,0x09u8,0x98u8,0xecu8,0xf8u8,0x42u8,0x7eu8] }
-- input { [0x61u8] }
-- output { [0x0cu8,0xc1u8,0x75u8,0xb9u8,0xc0u8,0xf1u8,0xb6u8,0xa8u8,0x31u8,0xc3u8,0x99u8,0xe2u8,0x69u8,0x77u8,0x26u8,0x61u8] }
type md5 = (u32, u32, u32, u32)
def us32 (x: i32) = u32.i32 x

def rs : [64]u32 =
  map us32
      [ 7
      , 12
      , 17
      , 22
      , 7
      , 12
      , 17
      , 22
      , 7
      , 12
      , 17
      , 22
      , 7
      , 12
      , 17
      , 22
      , 5
      , 9
      , 14
      , 20
      , 5
      , 9
      , 14
      , 20
      , 5
      , 9
      , 14
      , 20
      , 5
      , 9
      , 14
      , 20
      , 4
      , 11
      , 16
      , 23
      , 4
      , 11
      , 16
      , 23
      , 4
      , 11
      , 16
      , 23
      , 4
      , 11
      , 16
      , 23
      , 6
      , 10
      , 15
      , 21
      , 6
      , 10
      , 15
      , 21
      , 6
      , 10
      , 15
      , 21
      , 6
      , 10
      , 15
      , 21
      ]

def ks : [64]u32 = map (\i -> u32.f64 (f64.floor (f64.abs (f64.sin (f64.i64 (i + 1))) * 4294967296f64))) (iota 64)
def rotate_left (x: u32, c: u32) : u32 = (x << c) | (x >> (32u32 - c))

def bytes (x: u32) : [4]u8 =
  [ u8.u32 (x)
  , u8.u32 (x / 0x100u32)
  , u8.u32 (x / 0x10000u32)
  , u8.u32 (x / 0x1000000u32)
  ]

def unmake_md5 ((a, b, c, d): md5) : [16]u8 = sized 16 (flatten [bytes a, bytes b, bytes c, bytes d])

def md5_chunk ((a0, b0, c0, d0): md5) (m: [16]u32) : md5 =
  let (a, b, c, d) =
    loop (a, b, c, d) = (a0, b0, c0, d0)
    for i < 64i32 do
      let (f, g) =
        if i < 16i32
        then ((b & c) | (!b & d), us32 i)
        else if i < 32i32
        then ((d & b) | (!d & c), (5u32 * us32 i + 1u32) % 16u32)
        else if i < 48i32
        then (b ^ c ^ d, (3u32 * us32 i + 5u32) % 16u32)
        else (c ^ (b | !d), (7u32 * us32 i) % 16u32)
      in (d, b + rotate_left (a + f + ks[i] + m[i32.u32 g], rs[i]), b, c)
  in (a0 + a, b0 + b, c0 + c, d0 + d)

def md5 [n] (ms: [n][16]u32) : md5 =
  let a0 = 0x67452301u32
  let b0 = 0xefcdab89u32
  let c0 = 0x98badcfeu32
  let d0 = 0x10325476u32
  in loop acc = (a0, b0, c0, d0) for i < n do md5_chunk acc ms[i]

def unbytes_block (block: [64]u8) : *[16]u32 =
  map (\(bs: [4]u8) -> u32.u8 (bs[0]) + u32.u8 (bs[1]) * 0x100u32 + u32.u8 (bs[2]) * 0x10000u32 + u32.u8 (bs[3]) * 0x1000000u32) (unflatten (sized (16 * 4) block))

def main [n] (ms: [n]u8) : [16]u8 =
  let padding = 64 - (n % 64)
  let n_padded = n + padding
  let ms_padded = ms ++ bytes (0x80u32) ++ replicate (padding - 12) 0x0u8 ++ bytes (u32.i64 (n * 8)) ++ [0u8, 0u8, 0u8, 0u8]
  in unmake_md5 (md5 (map unbytes_block (unflatten (ms_padded :> [(n_padded / 64) * 64]u8))))
