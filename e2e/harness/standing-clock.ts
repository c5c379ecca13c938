// The moment at which pictures are taken.

/** Wednesday afternoon in India, in the middle of a candle of every timeframe. */
export const standingMs = Date.parse('2026-03-11T15:37:30+05:30')
