// Kite Connect's login, which renews the access token of the day: the URL of the login page, and the exchange of its request token.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { KiteLogin } from '#server/features/brokers/types.ts'
import { FeedError } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { kiteHosts } from './kite-feed.ts'

const defaultLoginUrl = 'https://kite.zerodha.com/connect/login'
const timeoutMs = 10_000
const sessionSchema = z.object({ data: z.object({ access_token: z.string().min(1).max(200) }) })

interface KiteLoginOptions extends Pick<FeedOptions, 'restUrl' | 'clock' | 'log'> {
  /** Zerodha's own URL if undefined. */
  readonly loginUrl: string | undefined
}

/** The login client for all users. */
export function kiteLogin({ loginUrl = defaultLoginUrl, restUrl = kiteHosts.restUrl, clock, log }: KiteLoginOptions): KiteLogin {
  const http = new JsonHttpClient({ name: 'Zerodha', clock, log, headers: { 'x-kite-version': '3' }, timeoutMs })
  return {
    urlOf(apiKey, state) {
      const url = new URL(loginUrl)
      url.search = new URLSearchParams({ v: '3', api_key: apiKey, redirect_params: `state=${state}` }).toString()
      return url.href
    },
    async exchange({ apiKey, apiSecret }, requestToken) {
      const checksum = createHash('sha256')
        .update(apiKey + requestToken + apiSecret)
        .digest('hex')
      const form = { api_key: apiKey, request_token: requestToken, checksum }
      try {
        // A request token is valid for one call, so there are no retries.
        const { data } = await http.get({ url: new URL('/session/token', restUrl), schema: sessionSchema, form, isOnce: true })
        return { accessToken: data.access_token }
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        return error.kind === 'refused' ? 'refused' : 'unreachable'
      }
    },
  }
}
