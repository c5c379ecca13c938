// Follows one series: uses the best source that works, and tells its minutes without a gap, a double or a wrong value.
import { liveText } from '#shared/text/en/live.ts'
import { sourceText } from '#shared/text/en/sources.ts'
import { backOff, type BackOff } from './back-off.ts'
import { candidateRun, type CandidateRun } from './candidate-run.ts'
import { provenAfterMs } from './follow-limits.ts'
import type { Candidate, FollowNeeds, FollowSink } from './follow-port.ts'

const tickMs = 1_000

/** A candidate and how far it has come: idle, tried, ready, or waiting for its next attempt. */
interface Entry {
  readonly candidate: Candidate
  readonly index: number
  readonly pause: BackOff
  run: CandidateRun | undefined
  isReady: boolean
  cancelRetry: (() => void) | undefined
  /** Why its last attempt failed. */
  blame: string | null
}

/**
 * Follows a series until the returned function is called, on the clock that it is given.
 * The candidates are tried in their order; one that fails is tried again with a growing pause. A better one takes over
 * as soon as it is live, has filled its gap and has said something; a lesser one when the used one is cut or silent for
 * long. The demo only stands in where no other source has worked: it never takes over from a real one.
 */
export function followSeries(needs: FollowNeeds, sink: FollowSink): () => void {
  const { clock } = needs
  const entries = needs.candidates.map((candidate, index): Entry => ({
    candidate,
    index,
    pause: backOff(clock),
    run: undefined,
    isReady: false,
    cancelRetry: undefined,
    blame: null,
  }))
  let used: Entry | undefined
  let usedSinceMs = 0
  let isOver = false
  let isStale = false
  let told: { readonly index: number | undefined; readonly reason: string | null } | undefined
  let cancelTick: () => void = () => undefined

  function start(entry: Entry): void {
    entry.cancelRetry?.()
    entry.cancelRetry = undefined
    const { candidate } = entry
    const { source } = candidate.feed
    const run = candidateRun({
      candidate,
      sessionClass: candidate.sessionClass ?? needs.sessionClass,
      clock,
      log: (line, details) => needs.log(line, { series: needs.series, source, ...details }),
      backfillMinutes: needs.backfillMinutes,
      storedUntilMs: () => needs.storedUntilMs(source),
      onReady() {
        entry.isReady = true
        consider(entry)
      },
      onSlow() {
        if (isLastHope(entry)) run.proceed()
        else fail(entry, sourceText.noHistory)
      },
      onFailed: (reason, isHopeless) => fail(entry, reason, isHopeless),
      onMinutes: (minutes, covered) => sink.minutes(minutes, covered),
      onGap: (untilMs) => sink.gap?.(untilMs),
    })
    entry.run = run
    entry.isReady = false
    run.start()
  }

  /** Nothing real is in use, and every other one has just failed or is the demo. */
  function isLastHope(entry: Entry): boolean {
    if (used !== undefined && !isDemo(used)) return false
    return entries.every((other) => other === entry || other.cancelRetry !== undefined || isDemo(other))
  }

  function end(entry: Entry): void {
    entry.run?.stop()
    entry.run = undefined
    entry.isReady = false
    entry.cancelRetry?.()
    entry.cancelRetry = undefined
  }

  function fail(entry: Entry, reason: string, isHopeless = false): void {
    end(entry)
    entry.blame = reason
    const waitMs = entry.pause.next(isHopeless)
    entry.cancelRetry = clock.after(waitMs, () => start(entry))
    needs.log('source failed', { series: needs.series, source: entry.candidate.feed.source, reason, retryInMs: Math.round(waitMs) })
    if (entry === used) used = undefined
    if (used === undefined) startNext()
    tellSource()
  }

  /** Tries the first one that has not been tried, unless one is being tried; the demo only where nothing else is used. */
  function startNext(): void {
    if (entries.some((entry) => entry !== used && entry.run !== undefined && !entry.isReady)) return
    const next = entries.find(
      (entry) => entry.run === undefined && entry.cancelRetry === undefined && !(isDemo(entry) && used !== undefined),
    )
    if (next !== undefined) start(next)
  }

  function consider(entry: Entry): void {
    if (isOver || entry === used || entry.run === undefined || !entry.isReady) return
    if (used !== undefined) {
      const isWanted = entry.index < used.index || (used.run?.trouble() !== null && !isDemo(entry))
      if (!isWanted || !entry.run.isProven()) return
    }
    adopt(entry, entry.run)
  }

  function adopt(entry: Entry, run: CandidateRun): void {
    const before = used
    used = entry
    usedSinceMs = clock.monotonic()
    if (before !== undefined && before.index < entry.index) fail(before, before.run?.trouble() ?? sourceText.cut)
    for (const lesser of entries.slice(entry.index + 1)) end(lesser)
    entry.blame = null
    isStale = false
    tellSource()
    run.use()
  }

  function tellSource(): void {
    if (isOver) return
    const reason = reasonNow()
    // As long as the first one is being tried there is nothing to say.
    if (told === undefined && used === undefined && reason === null) return
    if (told !== undefined && told.index === used?.index && told.reason === reason) return
    told = { index: used?.index, reason }
    sink.source(used === undefined ? null : { index: used.index, source: used.candidate.feed.source }, reason)
  }

  function reasonNow(): string | null {
    const blames = entries.slice(0, used?.index).flatMap(({ candidate, blame }) => (blame === null ? [] : [blameOf(candidate, blame)]))
    const trouble = used?.run?.trouble() ?? null
    if (used !== undefined && trouble !== null) blames.push(blameOf(used.candidate, trouble))
    return blames.length === 0 ? null : sourceText.together(blames)
  }

  function tick(): void {
    for (const entry of entries) entry.run?.tick()
    for (const entry of entries) consider(entry)
    if (used?.run !== undefined) {
      if (used.run.trouble() !== null) startNext()
      else for (const lesser of entries.slice(used.index + 1)) end(lesser)
      if (used.run.trouble() === null && clock.monotonic() - usedSinceMs >= provenAfterMs) used.pause.reset()
    }
    tellSource()
    tellStale()
    if (!isOver) cancelTick = clock.after(tickMs, tick)
  }

  function tellStale(): void {
    const now = used?.run?.isStale() ?? false
    if (isOver || now === isStale) return
    isStale = now
    sink.stale(now)
  }

  if (entries.length === 0) sink.source(null, liveText.noSource)
  startNext()
  cancelTick = clock.after(tickMs, tick)
  return () => {
    isOver = true
    cancelTick()
    for (const entry of entries) end(entry)
  }
}

function isDemo({ candidate }: Entry): boolean {
  return candidate.feed.source === 'demo'
}

function blameOf({ label, feed }: Candidate, reason: string): string {
  return sourceText.blame(label?.source ?? feed.source, reason)
}
