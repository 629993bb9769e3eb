-- Integers beyond 64 bits are floats where the type is one, with a suffix or from use.
-- ==
-- input { 2f64 }
-- output { 1.8446744073709552e19 3.4028235e38f32 2e22 1.9342813113834067e25 1e22 1i32 }
def main (x: f64) : (f64, f32, f64, f64, f64, i32) =
  ( 18446744073709551616
  , 340282346638528859811704183484516925440
  , x * 10000000000000000000000
  , 0xFFFFFFFFFFFFFFFFFFFFF
  , 10000000000000000000000f64
  , match x * 5e21
    case 10000000000000000000000 -> 1
    case _ -> 2
  )
