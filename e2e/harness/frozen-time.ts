// The moment at which screenshots are taken.

/** Wednesday afternoon in India, in the middle of a candle of every timeframe. */
export const frozenMs = Date.parse('2026-03-11T15:37:30+05:30')
