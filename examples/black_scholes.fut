-- Black & Scholes: prices of European call and put options, one map over scalars with `exp`, `log`
-- and `sqrt`.
--
-- run: [100, 120, 80] [100, 100, 100] [1, 0.5, 2]
-- tolerance: 1e-12
-- ==
-- input { [100.0f64, 120.0f64, 80.0f64] [100.0f64, 100.0f64, 100.0f64] [1.0f64, 0.5f64, 2.0f64] }
-- output { [12.821584653990953f64, 23.281254420061742f64, 8.08295269324885f64]
--   [10.841451984666477f64, 2.286237794978547f64, 24.161896608481158f64] }

-- | The normal distribution function (Abramowitz & Stegun 26.2.17, absolute error below 7.5e-8).
def normal (x: f64) : f64 =
  let k = 1f64 / (1f64 + 0.2316419f64 * f64.abs x)
  let poly =
    k
    * (0.31938153f64
       - k
         * (0.356563782f64
            - k
              * (1.781477937f64
                 - k * (1.821255978f64 - k * 1.330274429f64))))
  let tail = 0.3989422804014327f64 * f64.exp (-0.5f64 * x * x) * poly
  in if x < 0f64 then tail else 1f64 - tail

-- | Price of a call and a put on a share at `price`, to be exercised at `strike` in `years`.
def option (rate: f64) (volatility: f64) (price: f64) (strike: f64) (years: f64) : (f64, f64) =
  let spread = volatility * f64.sqrt years
  let d1 = (f64.log (price / strike) + (rate + 0.5f64 * volatility * volatility) * years) / spread
  let d2 = d1 - spread
  let discounted = strike * f64.exp (-rate * years)
  let call = price * normal d1 - discounted * normal d2
  in (call, call + discounted - price)

-- | Calls and puts for shares at the given prices, strikes and terms, at 2 % interest and 30 %
-- volatility.
entry main [n] (prices: [n]f64) (strikes: [n]f64) (years: [n]f64) : ([n]f64, [n]f64) =
  unzip (map3 (option 0.02f64 0.3f64) prices strikes years)
