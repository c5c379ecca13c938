// The page's live connection, shared by all charts and what watches the account.
import { after } from '#web/lib/after.ts'
import { takeEarlySocket } from './open-early-socket.ts'
import { session } from '#web/lib/browser-storage.ts'
import { pageClock } from '#web/lib/page-clock.ts'
import type { Group } from '#shared/instruments/instruments.ts'
import type { AccountListener, QuoteListener } from './live-listener.ts'
import { LiveSocket } from './live-socket.ts'
import { noteLiveTime, serverOffsetMs } from './server-offset.ts'
import type { CandleSource } from './candle-source.ts'
import { candlesAhead, type CandlesAhead } from './candles-ahead.ts'

// Not needed for the first candles, and neither are its contracts.
const loadOlder = () => import('./older-candles.ts')

const socket = new LiveSocket({
  open: (url) => takeEarlySocket(url) ?? new WebSocket(url),
  origin: window.location.origin,
  token: () => session.token(),
  after,
  random: Math.random,
  onServerTime: noteLiveTime,
})

window.addEventListener('online', () => socket.wake())
session.onSave(() => socket.wake())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') socket.wake()
})

/** Cached per second: candles close at full seconds, and a changing offset would put the page's countdowns a second apart. */
let offsetOf = { secondMs: Number.NaN, offsetMs: 0 }

const source: CandleSource = {
  open(request, listener) {
    const network = watchNetwork(listener)
    const unsubscribe = socket.subscribe(request, network.listener)
    return () => {
      network.stop()
      unsubscribe()
    }
  },
  older: async (request) => (await loadOlder()).olderCandles(request),
  clockOffsetMs() {
    const secondMs = pageClock.nowMs()
    if (secondMs !== offsetOf.secondMs) offsetOf = { secondMs, offsetMs: serverOffsetMs() }
    return offsetOf.offsetMs
  },
}

export const liveCandles: CandlesAhead = candlesAhead(source, after)

/** Follows the quotes of a group's menu. Returns the function that ends it. */
export const watchQuotes = (group: Group, listener: QuoteListener): (() => void) => {
  const network = watchNetwork(listener)
  const stopQuotes = socket.watchQuotes(group, network.listener)
  return () => {
    network.stop()
    stopQuotes()
  }
}

/** Follows the account over the live connection, which stays open meanwhile. Returns the function that ends it. */
export const watchAccount = (listener: AccountListener): (() => void) => socket.watchAccount(listener)

/** The browser reports offline at once; the connection only notices a missed heartbeat. */
function watchNetwork<Listener extends { connected(isConnected: boolean): void }>(
  listener: Listener,
): { listener: Listener; stop: () => void } {
  let isSocketUp = false
  const report = () => listener.connected(isSocketUp && navigator.onLine)
  const withNetwork: Listener = {
    ...listener,
    connected(isConnected) {
      isSocketUp = isConnected
      report()
    },
  }
  window.addEventListener('online', report)
  window.addEventListener('offline', report)
  return {
    listener: withNetwork,
    stop() {
      window.removeEventListener('online', report)
      window.removeEventListener('offline', report)
    },
  }
}
