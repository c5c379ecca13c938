// Records a provider through its adapter: history of every step, then live prices for a while.
import { FeedError, stepMs, type Feed, type FeedClock, type SourceName } from '../../feed.ts'
import { pause } from '../feed-rate-limiter.ts'
import { recordingProxy } from './recording-proxy.ts'
import { scrub, type Exchanged, type RecordedEntry, type Recording } from './recording.ts'

export interface RecorderOptions {
  readonly source: SourceName
  readonly symbol: string
  /** The provider's own URLs. */
  readonly restUrl: string
  readonly socketUrl: string
  /** The adapter, with the given URLs. */
  readonly make: (urls: { readonly restUrl: string; readonly socketUrl: string }) => Feed
  readonly clock: FeedClock
  readonly liveMs: number
  /** Keys and tokens, which must not be in a recording. */
  readonly secrets: readonly string[]
}

const candlesOfHistory = 30

/** Removes private or excessive data of a source. */
function cleaned(entry: Exchanged, { source, symbol }: Pick<RecorderOptions, 'source' | 'symbol'>): Exchanged | undefined {
  if (source !== 'kite') return entry
  // Its text frames contain the account's orders.
  if (entry.kind === 'frame' && entry.text !== undefined) return undefined
  if (entry.kind !== 'answer' || !/^\/instruments\/\w+$/.test(entry.path)) return entry
  const name = symbol.split(':')[1] ?? symbol
  const body = entry.body.split('\n').filter((row, index) => index === 0 || row.split(',').includes(name) || row.includes(`"${name}"`))
  return { ...entry, body: `${body.join('\n')}\n` }
}

/** Records for `liveMs` plus the time of the history. Rejections are recorded as well. */
export async function recordFeed(options: RecorderOptions): Promise<Recording> {
  const { source, symbol, clock, secrets } = options
  const entries: RecordedEntry[] = []
  const proxy = await recordingProxy({
    restUrl: options.restUrl,
    socketUrl: options.socketUrl,
    now: () => clock.now(),
    note(entry) {
      const kept = cleaned(entry, options)
      if (kept !== undefined) entries.push(JSON.parse(scrub(JSON.stringify(kept), secrets)) as Exchanged)
    },
  })
  const startMs = clock.now()
  const feed = options.make(proxy)
  try {
    for (const step of feed.steps) {
      const toMs = clock.now()
      const fromMs = Math.floor(toMs / stepMs[step] - candlesOfHistory) * stepMs[step]
      entries.push({ kind: 'ask', atMs: toMs, step, fromMs, toMs })
      try {
        entries.push({ kind: 'history', step, candles: await feed.history({ symbol, step, fromMs, toMs }) })
      } catch (error) {
        entries.push({ kind: 'failure', step, reason: error instanceof FeedError ? error.kind : String(error) })
      }
    }
    entries.push({ kind: 'watch', atMs: clock.now() })
    const stop = feed.watch(symbol, {
      minute: (candle, isClosed) => void entries.push({ kind: 'minute', candle, isClosed }),
      trade: (trade) => void entries.push({ kind: 'trade', trade }),
      state: ({ kind }) => void entries.push({ kind: 'state', state: kind }),
    })
    await pause(clock, options.liveMs)
    entries.push({ kind: 'end', atMs: clock.now() })
    stop()
    // Later traffic belongs to the shutdown.
    return { head: { kind: 'recording', source, symbol, startMs }, entries: [...entries] }
  } finally {
    await feed.close()
    await proxy.close()
  }
}
