// One attempt at one candidate: listens to it, has its gaps filled, and says how it is. Whether it is used is decided elsewhere.
import { minuteMs } from '#shared/base/durations.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { sourceText } from '#shared/text/en/sources.ts'
import type { FeedClock, FeedLog, FeedState } from '../feed.ts'
import { cutToleratedMs, hopelessDowns, liveWithinMs, longestFillMs, silenceToleratedMs, staleWhenCutMs } from './follow-limits.ts'
import type { Candidate, StatedMinute } from './follow-port.ts'
import { gapFiller } from './gap-filler.ts'
import { minuteLedger } from './minute-ledger.ts'
import { streamCheck } from './stream-check.ts'

export interface RunNeeds {
  readonly candidate: Candidate
  readonly sessionClass: SessionClass
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly backfillMinutes: number
  readonly lastStoredMs: () => Promise<number | undefined>
  /** Live, and nothing is missing. */
  onReady(): void
  /** Live, but what is missing does not come. */
  onSlow(): void
  onFailed(reason: string, isHopeless: boolean): void
  /** Only while it is used. */
  onMinutes(minutes: readonly StatedMinute[]): void
}

export interface CandidateRun {
  /** Begins; apart from the making of it, because a feed may answer at once. */
  start(): void
  stop(): void
  /** From now on its minutes are wanted, beginning with all that it has. */
  use(): void
  /** Goes on although something is missing. */
  proceed(): void
  /** Whether it is live and has said something since, or has no reason to because the market is closed. */
  isProven(): boolean
  /** To be called every second. */
  tick(): void
  isStale(): boolean
  /** What is wrong with it, for people; null if nothing is. */
  trouble(): string | null
}

export function candidateRun(needs: RunNeeds): CandidateRun {
  const { candidate, clock, log } = needs
  const { feed, symbol, staleAfterMs } = candidate
  const ledger = minuteLedger()
  const check = streamCheck((fault) => log('price refused', { fault }))
  const filler = gapFiller({
    candidate,
    clock,
    ledger,
    log,
    startMs,
    onFilled: settle,
    onSlow: () => {
      if (isUsed) settle()
      else needs.onSlow()
    },
    onChange: tell,
  })
  let isOver = false
  let isUsed = false
  /** Prices wait until what came before them is there. */
  let isHolding = true
  let isLive = false
  let hasHeard = false
  let downReason: string = sourceText.cut
  let downs = 0
  let wasLive = false
  /** Since when silence counts: the last price, or the moment from which there could be one. */
  let quietSinceMs = clock.now()
  let cutSinceMs: number | undefined
  let cancelDeadline: () => void = () => undefined
  let unwatch: () => void = () => undefined

  async function startMs(): Promise<number> {
    const nowMs = clock.now()
    const lastMs = await needs.lastStoredMs().catch((error: unknown) => {
      log('newest stored candle unknown', { reason: String(error) })
      return undefined
    })
    const fromMs = lastMs === undefined ? nowMs - needs.backfillMinutes * minuteMs : lastMs + minuteMs
    return Math.floor(Math.max(fromMs, nowMs - longestFillMs) / minuteMs) * minuteMs
  }

  function tell(): void {
    if (!isUsed || isHolding || isOver) return
    const news = ledger.drain()
    if (news.length > 0) needs.onMinutes(news)
  }

  /** What was missed is there, or is waited for no longer. */
  function settle(): void {
    if (isOver) return
    isHolding = false
    quietSinceMs = clock.now()
    tell()
    if (!isUsed && isLive) needs.onReady()
  }

  function fail(reason: string, isHopeless = false): void {
    if (!isOver) needs.onFailed(reason, isHopeless)
  }

  function hear(statements: ReturnType<typeof check.minute>): void {
    const nowMs = clock.now()
    for (const { candle, isFinal } of statements) {
      // A source whose clock is ahead of ours begins in the middle of a minute that has not begun here.
      if (!hasHeard && candle.timeMs > nowMs) ledger.doubt(candle.timeMs, candle.timeMs)
      hasHeard = true
      ledger.hear(candle, isFinal, nowMs)
    }
    if (statements.length === 0) return
    if (!isHolding) quietSinceMs = nowMs
    tell()
  }

  function change(state: FeedState): void {
    if (isOver) return
    if (state.kind === 'refused') return fail(state.reason, true)
    if (state.kind === 'live') {
      cancelDeadline()
      isLive = true
      wasLive = true
      hasHeard = false
      cutSinceMs = undefined
      isHolding = true
      filler.begin()
      return
    }
    if (state.kind === 'down') {
      downReason = plain(state.reason)
      downs += 1
      // Nobody waits in front of an empty chart for a host that is not there.
      if (!wasLive && downs >= hopelessDowns) return fail(downReason)
    }
    if (isLive) {
      isLive = false
      cutSinceMs = clock.now()
      downReason = state.kind === 'down' ? plain(state.reason) : sourceText.cut
    }
  }

  return {
    start() {
      cancelDeadline = clock.after(liveWithinMs, () =>
        fail(downReason === sourceText.cut ? sourceText.notLive(liveWithinMs / 1000) : downReason),
      )
      const stopWatching = feed.watch(symbol, {
        minute: (candle, isClosed) => {
          if (!isOver) hear(check.minute(candle, isClosed, clock.now()))
        },
        trade: (trade) => {
          if (!isOver && feed.live !== 'minutes') hear(check.trade(trade, clock.now()))
        },
        state: change,
      })
      if (isOver) stopWatching()
      else unwatch = stopWatching
    },
    stop() {
      isOver = true
      cancelDeadline()
      filler.stop()
      unwatch()
    },
    use() {
      isUsed = true
      tell()
    },
    proceed: settle,
    isProven: () => isLive && !isHolding && (hasHeard || !isTrading(needs.sessionClass, clock.now())),
    tick() {
      const nowMs = clock.now()
      if (!isTrading(needs.sessionClass, nowMs)) quietSinceMs = nowMs
      if (!isLive || isHolding) return
      ledger.closeBefore(nowMs)
      tell()
    },
    isStale() {
      const limitMs = cutSinceMs === undefined ? staleAfterMs : Math.min(staleAfterMs, staleWhenCutMs)
      return clock.now() - quietSinceMs >= limitMs
    },
    trouble() {
      const nowMs = clock.now()
      if (cutSinceMs !== undefined) return nowMs - cutSinceMs >= cutToleratedMs ? downReason : null
      return nowMs - quietSinceMs >= silenceToleratedMs(staleAfterMs) ? sourceText.silent : null
    },
  }
}

/** A host that cannot be reached, without the words of the network. */
function plain(reason: string): string {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(reason) ? sourceText.unreachable : reason
}

/** Whether prices are to be expected: in a closing auction there are none until its end. */
function isTrading(sessionClass: SessionClass, ms: number): boolean {
  const segments = calendarOf(sessionClass).sessionAt(ms)?.segments ?? []
  return segments.some(({ kind, startMs, endMs }) => kind === 'continuous' && ms >= startMs && ms < endMs)
}
