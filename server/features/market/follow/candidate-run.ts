// One attempt at one candidate: listens to it, has its gaps filled, and says how it is. Whether it is used is decided elsewhere.
import { minuteMs } from '#shared/base/durations.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-spans.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { sourceText } from '#shared/text/en/sources.ts'
import { countedLog } from '../counted-log.ts'
import type { FeedClock, FeedLog, FeedState } from '../feed.ts'
import {
  cutToleratedMs,
  hopelessDowns,
  liveWithinMs,
  longestFillMs,
  secondLookMs,
  silenceToleratedMs,
  staleWhenCutMs,
} from './follow-limits.ts'
import type { Candidate, StatedMinute } from './follow-port.ts'
import { gapFiller, type FillStart } from './gap-filler.ts'
import { minuteLedger } from './minute-ledger.ts'
import { steadyTime } from './steady-time.ts'
import { streamCheck } from './stream-check.ts'

export interface RunNeeds {
  readonly candidate: Candidate
  readonly sessionClass: SessionClass
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly backfillMinutes: number
  readonly storedUntilMs: () => Promise<number | undefined>
  /** Live, and nothing is missing. */
  onReady(): void
  /** Live, but what is missing does not come. */
  onSlow(): void
  onFailed(reason: string, isHopeless: boolean): void
  /** Only while it is used. */
  onMinutes(minutes: readonly StatedMinute[], covered: readonly TimeSpan[]): void
  /** Only while it is used: what is before is missing, or no longer is. */
  onGap(untilMs: number | undefined): void
}

export interface CandidateRun {
  /** Begins; apart from the making of it, because a feed may answer at once. */
  start(): void
  stop(): void
  /** From now on its minutes are wanted, beginning with all that it has. */
  use(): void
  /** Goes on although something is missing. */
  proceed(): void
  /** Whether it is live and has said something since, or has no reason to: proved to be alive, or the market is closed. */
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
  const counted = countedLog({ clock, log })
  const check = streamCheck((fault) => counted.log('price refused', { fault }))
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
    onCovered: (span) => (covered = addSpan(covered, span)),
  })
  const steadyNow = steadyTime(clock)
  let isOver = false
  /** Not told yet. */
  let covered: readonly TimeSpan[] = []
  let gapMs: number | undefined
  let isUsed = false
  /** Prices wait until what came before them is there. */
  let isHolding = true
  let isLive = false
  let hasHeard = false
  /** Said to be alive since it is live. */
  let isProved = false
  let downReason: string = sourceText.cut
  let downs = 0
  let wasLive = false
  /** Since when silence counts: the last price, or the moment from which there could be one. */
  let quietSinceMs = clock.monotonic()
  let cutSinceMs: number | undefined
  let cancelDeadline: () => void = () => undefined
  let unwatch: () => void = () => undefined

  async function startMs(): Promise<FillStart> {
    const nowMs = clock.now()
    const untilMs = await needs.storedUntilMs().catch((error: unknown) => {
      log('newest stored candle unknown', { reason: String(error) })
      return undefined
    })
    // The newest stored minutes may have been asked for before the source had settled them.
    const wantedMs = untilMs === undefined ? nowMs - needs.backfillMinutes * minuteMs : untilMs - secondLookMs
    const fromMs = Math.max(wantedMs, nowMs - longestFillMs)
    return { fromMs: Math.floor(fromMs / minuteMs) * minuteMs, hasOlder: untilMs !== undefined }
  }

  function tell(): void {
    if (!isUsed || isHolding || isOver) return
    const liveSpan = filler.coveredLive()
    if (liveSpan !== undefined) covered = addSpan(covered, liveSpan)
    const news = ledger.drain()
    const whole = covered
    covered = []
    if (news.length > 0 || whole.length > 0) needs.onMinutes(news, whole)
    tellGap()
  }

  function tellGap(): void {
    if (filler.isFilling() === (gapMs !== undefined)) return
    gapMs = filler.isFilling() ? Math.floor(clock.now() / minuteMs) * minuteMs : undefined
    needs.onGap(gapMs)
  }

  /** What was missed is there, or is waited for no longer. */
  function settle(): void {
    if (isOver) return
    isHolding = false
    quietSinceMs = clock.monotonic()
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
    if (!isHolding) quietSinceMs = clock.monotonic()
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
      isProved = false
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
      cutSinceMs = clock.monotonic()
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
          if (!isOver) hear(check.minute(candle, isClosed, steadyNow()))
        },
        trade: (trade) => {
          if (!isOver && feed.live !== 'minutes') hear(check.trade(trade, steadyNow()))
        },
        alive() {
          if (isOver || !isLive) return
          isProved = true
          if (!isHolding) quietSinceMs = clock.monotonic()
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
      counted.stop()
      unwatch()
    },
    use() {
      isUsed = true
      tell()
    },
    proceed: settle,
    isProven: () => isLive && !isHolding && (hasHeard || isProved || !isTrading(needs.sessionClass, clock.now())),
    tick() {
      const nowMs = clock.now()
      if (!isTrading(needs.sessionClass, nowMs)) quietSinceMs = clock.monotonic()
      if (!isLive || isHolding) return
      ledger.closeBefore(nowMs)
      tell()
    },
    isStale() {
      const limitMs = cutSinceMs === undefined ? staleAfterMs : Math.min(staleAfterMs, staleWhenCutMs)
      return clock.monotonic() - quietSinceMs >= limitMs
    },
    trouble() {
      const nowMs = clock.monotonic()
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
