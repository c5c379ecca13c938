// Shared by the fake servers of NSE shares.

/** Whole shares with volume, in exchange hours; minutes without a trade are absent. */
export const nseShares = {
  sessionClass: 'nse-equity',
  quietMinutes: 'absent',
  hasVolume: true,
  sizeStep: 1,
  hasTakerBuyVolume: false,
} as const
