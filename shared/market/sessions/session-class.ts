// Which trading hours an instrument keeps, by name.

/** `nse-equity` is a share with derivatives, which has a closing auction; `metals` is spot, `cme` are futures of indices, `comex` of metals. */
export const sessionClasses = ['nse-equity', 'nse-index', 'bse-index', 'fx', 'metals', 'crypto', 'cme', 'comex'] as const

export type SessionClass = (typeof sessionClasses)[number]
