// What the dialects of shares of the NSE have in common, whoever tells of them.

/** Whole shares with their volume, in the hours of the exchange; a minute without a trade is not stated. */
export const nseShares = {
  sessionClass: 'nse-equity',
  quietMinutes: 'absent',
  hasVolume: true,
  sizeStep: 1,
  hasTakerBuyVolume: false,
} as const
