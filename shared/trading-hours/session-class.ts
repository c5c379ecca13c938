// Session classes: named trading hours of instruments.

/** `nse-equity`: shares with derivatives, which have a closing auction; `metals`: spot; `cme`: index futures; `comex`: metal futures. */
export const sessionClasses = ['nse-equity', 'nse-index', 'bse-index', 'fx', 'metals', 'crypto', 'cme', 'comex'] as const

export type SessionClass = (typeof sessionClasses)[number]
