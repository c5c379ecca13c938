// The feed of one user's broker: its adapter with the user's credentials, which detects when they are rejected.
import type { BrokerCredentials } from '#server/features/brokers/types.ts'
import { tokenBucket, type TokenBucketOptions } from '#server/features/market-data/token-bucket.ts'
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'
import { FeedError, type Feed, type FeedClock, type FeedLog } from '../feed.ts'
import type { FeedOptions } from './feed-options.ts'
import { kiteTokenReason, kiteFeed } from './kite-feed.ts'
import { openAlgoKeyReason, openalgoFeed } from './openalgo-feed.ts'
import type { IntakeLimits } from './websocket/websocket-connection.ts'

export interface BrokerFeedOptions {
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Zerodha's hosts; the defaults if undefined. */
  readonly kite: Pick<FeedOptions, 'restUrl' | 'socketUrl'>
  readonly guard: OutboundGuard
}

/** Ten charts with ten quotes a second each, and half a minute of them at once after a pause. */
const intake: IntakeLimits = {
  messagesAtOnce: 3_000,
  messagesPerSecond: 200,
  bytesAtOnce: 1024 * 1024,
  bytesPerSecond: 64 * 1024,
  bytesOfMessageMax: 64 * 1024,
}
/** The history of ten charts at once, and then of one chart in half a minute. */
const historyBytes = { size: 24 * 1024 * 1024, perSecond: 64 * 1024 }

const keyReasons = [kiteTokenReason, openAlgoKeyReason]

/** A fetch whose responses have a budget of bytes; rejects while earlier ones have used it up. */
export function meteredFetch(call: typeof fetch, budget: TokenBucketOptions): typeof fetch {
  const bytes = tokenBucket(budget)
  return async (input, init) => {
    if (bytes.waitMs(1) > 0) throw new TypeError('The server has sent too much')
    const response = await call(input, init)
    const text = await response.text()
    bytes.spend(text.length)
    return new Response(text === '' ? null : text, response)
  }
}

/** Creates the adapter without connecting. @throws BlockedAddressError for an address that must not be called */
export function brokerFeed(credentials: BrokerCredentials, options: BrokerFeedOptions): Feed {
  const { clock, log, guard } = options
  if (credentials.broker === 'kite') {
    const { apiKey, accessToken } = credentials
    return kiteFeed({ ...options.kite, apiKey, accessToken, clock, log })
  }
  const { url: restUrl, apiKey } = credentials
  const socketUrl = socketUrlOf(restUrl)
  // The operator's rules may have changed since the address was stored.
  for (const address of [restUrl, socketUrl]) guard.check(new URL(address))
  const fetch = meteredFetch(guard.fetch, { ...historyBytes, monotonic: () => clock.monotonic() })
  const socket = new URL(socketUrl)
  const dial = { lookup: guard.lookupFor(socket), agent: guard.agentFor(socket) }
  return openalgoFeed({ restUrl, socketUrl, apiKey, fetch, dial, intake, clock, log })
}

/** OpenAlgo's installer serves its WebSocket under /ws of the same URL. */
function socketUrlOf(restUrl: string): string {
  return `${restUrl.replace(/^http/, 'ws')}/ws`
}

/** Calls back once when the broker rejects the credentials. */
export function withRejections(feed: Feed, onRejected: () => void): Feed {
  let isNotified = false
  const notify = (reason: string): void => {
    if (isNotified || !keyReasons.some((one) => reason.includes(one))) return
    isNotified = true
    onRejected()
  }
  return {
    ...feed,
    async history(request) {
      try {
        return await feed.history(request)
      } catch (error) {
        if (error instanceof FeedError && error.kind === 'refused') notify(error.message)
        throw error
      }
    },
    watch: (symbol, sink) =>
      feed.watch(symbol, {
        ...sink,
        state(state) {
          sink.state(state)
          if (state.kind === 'refused') notify(state.reason)
        },
      }),
  }
}
