// Limits of candle requests.

/** Maximum number of candles in a response. */
export const candlesMax = 5_000
