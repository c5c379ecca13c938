// Address and version of the live connection; without schemas, so that the first script of a page can use it.

/** Below the API's base path. */
export const livePath = '/market/live'

export const liveVersion = 1

/** The first message of a page. */
export function helloOf(token: string) {
  return { t: 'hello', v: liveVersion, token, isPage: true } as const
}
