// Asks each real source for a few candles, so that its state is known while nobody watches one of its series.
import { dayMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import { FeedError, type Feed, type FeedClock, type FeedLog, type SourceName } from './feed.ts'
import { repeat } from './real-clock.ts'
import { symbolOn } from './gateway/series-plan.ts'
import { sourceBindings } from './source-bindings.ts'
import { missingHolders, type Licences } from './licences.ts'

export interface SourceReach {
  /** Null while it answers. */
  readonly failure: string | null
}

export type SourceProbes = ReturnType<typeof probeSources>

interface ProbeOptions {
  readonly feeds: ReadonlyMap<SourceName, Feed>
  readonly licences: Licences
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Whether this process makes the prices now. */
  readonly isHub: () => boolean
}

const everyMs = 5 * minuteMs
/** Its requests cost credits. */
const everyMsOfTwelveData = 30 * minuteMs
/** How soon a process that has become the hub begins. */
const roundMs = 10 * secondMs
const timeoutMs = 20 * secondMs
/** Long enough to hold a trading day, whatever the holidays. */
const askedMs = 10 * dayMs

/** Starts at once, and goes on until `stop`. */
export function probeSources(options: ProbeOptions) {
  const { feeds, licences, clock, isHub } = options
  const known = new Map<SourceName, SourceReach>()
  const stopped = new AbortController()

  const dueMs = new Map<SourceName, number>()

  async function ask(feed: Feed): Promise<void> {
    const { source } = feed
    const symbol = symbolOf(source, licences, clock.now())
    if (symbol === undefined) return void known.delete(source)
    const failure = await failureOf(feed, symbol, options, stopped.signal)
    if (stopped.signal.aborted) return
    if (failure !== (known.get(source)?.failure ?? null)) options.log(failure ?? 'the source answers again', { source })
    known.set(source, { failure })
  }

  function round(): void {
    if (!isHub()) return
    for (const feed of feeds.values()) {
      if (clock.monotonic() < (dueMs.get(feed.source) ?? 0)) continue
      dueMs.set(feed.source, clock.monotonic() + (feed.source === 'twelve-data' ? everyMsOfTwelveData : everyMs))
      void ask(feed)
    }
  }
  round()
  const stopRounds = repeat(clock, roundMs, round)
  const usable = [...feeds.keys()].filter((source) => symbolOf(source, licences, clock.now()) !== undefined)
  return {
    /** Those that are set up and may be shown. */
    sources: new Set(usable) as ReadonlySet<SourceName>,
    /** By source; one that was not asked yet is missing. Empty while another process is the hub. */
    reach: (): ReadonlyMap<SourceName, SourceReach> => (isHub() ? known : new Map()),
    stop(): void {
      stopped.abort()
      stopRounds()
    },
  }
}

/** A symbol that may be shown; undefined if the licences allow none. */
function symbolOf(source: SourceName, licences: Licences, nowMs: number): string | undefined {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const allowed = sourceBindings.filter((binding) => binding.source === source && missingHolders(licences, binding).length === 0)
  return allowed.map(({ symbols }) => symbolOn(symbols, day)).find((symbol) => symbol !== undefined)
}

/** Null if the source has answered, also that it is asked too often. */
async function failureOf(feed: Feed, symbol: string, { clock }: ProbeOptions, stopped: AbortSignal): Promise<string | null> {
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort(new FeedError('unreachable', 'no answer')))
  const toMs = clock.now()
  const signal = AbortSignal.any([late.signal, stopped])
  try {
    await feed.history({ symbol, step: feed.steps.at(-1) ?? '1D', fromMs: toMs - askedMs, toMs, signal })
    return null
  } catch (error) {
    if (error instanceof FeedError && error.kind === 'limited') return null
    return error instanceof Error ? error.message : String(error)
  } finally {
    cancel()
  }
}
