// The instruments of the clients of lab/bench/fanout.ts.
export const benchSeries = [
  'nifty',
  'btc-usdt',
  'eth-usdt',
  'doge-usdt',
  'cake-usdt',
  'btc-usd',
  'eur-usd',
  'gbp-usd',
  'usd-jpy',
  'reliance',
] as const
