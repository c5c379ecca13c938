// The page's line to live candles in this browser, one for all charts.
import { defaultAdjustment } from '#shared/market/corporate-actions.ts'
import { client } from '#web/lib/api.ts'
import { session } from '#web/lib/storage.ts'
import { pageClock } from '#web/lib/use-now.ts'
import { liveSocket, type LiveListener } from '../live/live-socket.ts'
import { noteLiveOffset } from '../server-clock.ts'
import type { CandleSource } from './candle-source.ts'

const socket = liveSocket({
  open: (url) => new WebSocket(url),
  origin: window.location.origin,
  token: () => session.token(),
  now: Date.now,
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  random: Math.random,
  onClock: noteLiveOffset,
})

window.addEventListener('online', () => socket.wake())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') socket.wake()
})

/** The same for a whole second: candles close at full ones, and a millisecond would part the countdowns of the page by a second. */
let offsetOf = { secondMs: Number.NaN, offsetMs: 0 }

export const liveLine: CandleSource = {
  open(wish, listener) {
    const { told, stop } = watchNetwork(listener)
    const close = socket.subscribe(wish, told)
    return () => {
      stop()
      close()
    }
  },
  older: async ({ slug, timeframe, toMs, limit, adjustment = defaultAdjustment }) =>
    (await client.market.candles({ params: { slug }, query: { timeframe, to: toMs, limit, adjustment } })).data,
  clockOffsetMs() {
    const secondMs = pageClock.nowMs()
    if (secondMs !== offsetOf.secondMs) offsetOf = { secondMs, offsetMs: socket.clockOffsetMs() }
    return offsetOf.offsetMs
  },
}

/** The browser knows at once that it is offline; the line only finds out when it misses the next sign of life. */
function watchNetwork(listener: LiveListener): { told: LiveListener; stop: () => void } {
  let isLineUp = false
  const tell = () => listener.connected(isLineUp && navigator.onLine)
  const told: LiveListener = {
    snapshot: (snapshot) => listener.snapshot(snapshot),
    update: (candles) => listener.update(candles),
    condition: (condition) => listener.condition(condition),
    ended: (code, message) => listener.ended(code, message),
    connected(isConnected) {
      isLineUp = isConnected
      tell()
    },
  }
  window.addEventListener('online', tell)
  window.addEventListener('offline', tell)
  return {
    told,
    stop() {
      window.removeEventListener('online', tell)
      window.removeEventListener('offline', tell)
    },
  }
}
