// Address, version, hello and close codes of the live connection; without schemas, so that the first script of a page can use them.

/** Below the API's base path. */
export const livePath = '/market/live'

export const liveVersion = 1

/** The first message of a page. */
export function helloOf(token: string) {
  return { t: 'hello', v: liveVersion, token, isPage: true } as const
}

/** Close codes with a meaning for clients. */
export const closeCodes = {
  /** The server could not check the session: reconnect. */
  busy: 1013,
  /** Not signed in, or no longer: do not reconnect automatically. */
  session: 4401,
  /** No hello in time, for example on a slow connection: reconnect. */
  noHello: 4408,
  /** Replaced by a newer connection of the same user: do not reconnect automatically, or the two would replace each other forever. */
  replaced: 4409,
  /** Not our client: an invalid message, or too many messages. */
  abuse: 4429,
} as const

/** Close code of a server that stops. */
export const goingAwayCode = 1001

/** When a page connects again; after `goingAwayCode`, which a server sends to some pages at a time, a random part of the spread later. */
export const reconnectLimits = { firstMs: 300, maxMs: 15_000, goingAwaySpreadMs: 500 } as const
