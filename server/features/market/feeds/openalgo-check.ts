// Tries an OpenAlgo instance that a user names, before anything of it is stored.
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'
import type { OpenAlgoCheck } from '../brokers/broker-port.ts'
import { FeedError, type FeedClock, type FeedLog } from '../feed.ts'
import { httpJson } from './http-json.ts'
import { openAlgoIntervalsSchema } from './openalgo-history.ts'

export interface OpenAlgoCheckOptions {
  readonly guard: OutboundGuard
  readonly clock: FeedClock
  readonly log: FeedLog
}

const timeoutMs = 10_000

/** The check of all users. */
export function openAlgoCheck({ guard, clock, log }: OpenAlgoCheckOptions): OpenAlgoCheck {
  return async (url, apiKey) => {
    // A client of its own: pauses that one instance wants are not those of another.
    const http = httpJson({ name: 'OpenAlgo', clock, log, timeoutMs, fetch: guard.fetch })
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
