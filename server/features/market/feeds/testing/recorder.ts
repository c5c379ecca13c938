// Records a provider through its adapter: history of every step, then the live prices of a while.
import { FeedError, stepMs, type Feed, type FeedClock, type SourceName } from '../../feed.ts'
import { pause } from '../request-budget.ts'
import { recordingProxy } from './recording-proxy.ts'
import { scrub, type Exchanged, type RecordedEntry, type Recording } from './recording.ts'

export interface RecorderNeeds {
  readonly source: SourceName
  readonly symbol: string
  /** The provider's own addresses. */
  readonly restUrl: string
  readonly socketUrl: string
  /** The adapter, on the addresses that it is given. */
  readonly make: (urls: { readonly restUrl: string; readonly socketUrl: string }) => Feed
  readonly clock: FeedClock
  readonly liveMs: number
  /** Keys and tokens, which no recording may hold. */
  readonly secrets: readonly string[]
}

const candlesOfHistory = 30

/** What of a source is nobody's business, or too much of it. */
function cleaned(entry: Exchanged, { source, symbol }: Pick<RecorderNeeds, 'source' | 'symbol'>): Exchanged | undefined {
  if (source !== 'kite') return entry
  // Its text frames tell of the account's orders.
  if (entry.kind === 'frame' && entry.text !== undefined) return undefined
  if (entry.kind !== 'answer' || !/^\/instruments\/\w+$/.test(entry.path)) return entry
  const name = symbol.split(':')[1] ?? symbol
  const body = entry.body.split('\n').filter((row, index) => index === 0 || row.split(',').includes(name) || row.includes(`"${name}"`))
  return { ...entry, body: `${body.join('\n')}\n` }
}

/** Records; takes `liveMs` and the time of the history. What the provider refuses is recorded as well. */
export async function recordFeed(needs: RecorderNeeds): Promise<Recording> {
  const { source, symbol, clock, secrets } = needs
  const entries: RecordedEntry[] = []
  const proxy = await recordingProxy({
    restUrl: needs.restUrl,
    socketUrl: needs.socketUrl,
    now: () => clock.now(),
    note(entry) {
      const kept = cleaned(entry, needs)
      if (kept !== undefined) entries.push(JSON.parse(scrub(JSON.stringify(kept), secrets)) as Exchanged)
    },
  })
  const startMs = clock.now()
  const feed = needs.make(proxy)
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
    await pause(clock, needs.liveMs)
    entries.push({ kind: 'end', atMs: clock.now() })
    stop()
    // What passes after this belongs to the ending.
    return { head: { kind: 'recording', source, symbol, startMs }, entries: [...entries] }
  } finally {
    await feed.close()
    await proxy.close()
  }
}
