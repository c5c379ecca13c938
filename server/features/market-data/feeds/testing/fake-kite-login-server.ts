// Fake Kite Connect login: apps with their secrets, single-use request tokens, and sessions that can end.
import { createHash } from 'node:crypto'
import type { Dialect, DialectAnswer, DialectRequest, Truth } from './dialect.ts'
import { kiteDialect, kiteKeys } from './fake-kite-server.ts'

export interface KiteLoginFake {
  readonly dialect: Dialect
  /** Request token that Zerodha puts into the redirect after a sign-in to the app. */
  signIn(apiKey: string): string
  /** Ends every session of an app, as when the user revokes access. */
  revoke(apiKey: string): void
  /** Every secret that was issued. */
  readonly tokens: readonly string[]
}

const rejection = (status: number, kind: string): DialectAnswer => ({
  status,
  body: JSON.stringify({ status: 'error', error_type: kind, message: 'Refused' }),
})

/** A fake with these apps: secrets by key. */
export function kiteLoginFake(apps: Readonly<Record<string, string>>): KiteLoginFake {
  const requests = new Map<string, string>()
  const sessions = new Map<string, string>()
  const tokens: string[] = []
  const next = (kind: string, apiKey: string): string => {
    const token = `${kind}-${tokens.length}-of-${apiKey}`
    tokens.push(token)
    return token
  }

  function exchange({ method, body, headers }: DialectRequest): DialectAnswer {
    const form = new URLSearchParams(body)
    const [apiKey, requestToken] = [form.get('api_key') ?? '', form.get('request_token') ?? '']
    const checksum = createHash('sha256')
      .update(`${apiKey}${requestToken}${apps[apiKey] ?? 'no such app'}`)
      .digest('hex')
    const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
    if (method !== 'POST' || !isForm || headers['x-kite-version'] !== '3' || form.get('checksum') !== checksum)
      return rejection(403, 'TokenException')
    if (requests.get(requestToken) !== apiKey) return rejection(403, 'TokenException')
    requests.delete(requestToken)
    const accessToken = next('access', apiKey)
    sessions.set(accessToken, apiKey)
    return { status: 200, body: JSON.stringify({ status: 'success', data: { user_id: 'AB1234', access_token: accessToken } }) }
  }

  function answer(request: DialectRequest, truth: Truth): DialectAnswer | null {
    if (request.path === '/session/token') return exchange(request)
    const [, apiKey = '', accessToken = ''] = /^token ([^:]+):(.+)$/.exec(String(request.headers['authorization'])) ?? []
    if (sessions.get(accessToken) !== apiKey) return rejection(403, 'TokenException')
    const headers = { ...request.headers, authorization: `token ${kiteKeys.apiKey}:${kiteKeys.accessToken}` }
    return kiteDialect.answer({ ...request, headers }, truth)
  }

  return {
    dialect: {
      ...kiteDialect,
      answer,
      connected(peer) {
        const { searchParams } = peer.url
        if (sessions.get(searchParams.get('access_token') ?? '') !== searchParams.get('api_key')) peer.close(1008)
      },
    },
    signIn(apiKey) {
      const token = next('request', apiKey)
      requests.set(token, apiKey)
      return token
    },
    revoke(apiKey) {
      for (const [token, owner] of sessions) if (owner === apiKey) sessions.delete(token)
    },
    tokens,
  }
}
