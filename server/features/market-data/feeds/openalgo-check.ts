// Checks an OpenAlgo instance that a user entered, before it is stored.
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'
import type { OpenAlgoCheck } from '#server/features/brokers/types.ts'
import { FeedError, type FeedClock, type FeedLog } from '../feed.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { openAlgoIntervalsSchema } from './openalgo-feed.ts'

export interface OpenAlgoCheckOptions {
  readonly guard: OutboundGuard
  readonly clock: FeedClock
  readonly log: FeedLog
}

const timeoutMs = 10_000

/** The check for all users. */
export function openAlgoCheck({ guard, clock, log }: OpenAlgoCheckOptions): OpenAlgoCheck {
  return async (url, apiKey) => {
    // A separate client, because instances must not share pauses.
    const http = new JsonHttpClient({ name: 'OpenAlgo', clock, log, timeoutMs, fetch: guard.fetch })
    try {
      const address = new URL(`${url}/api/v1/intervals`)
      await http.get({ url: address, body: { apikey: apiKey }, schema: openAlgoIntervalsSchema, isOnce: true })
      return 'ok'
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      return error.kind === 'refused' && /\((401|403)\)/.test(error.message) ? 'key' : 'unreachable'
    }
  }
}
