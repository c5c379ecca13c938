// The instruments that bench/fanout.ts spreads its watchers over.
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
