// Whether the provider of the widget can be reached from this browser: found out fast, remembered for the session, retried quietly.
import { listenerSet } from '#shared/base/listeners.ts'
import type { SafeStorage } from '#web/lib/storage.ts'

/** `slow` has not answered for two seconds: our own chart takes over where there is one, until an answer comes. */
export type Reach = 'unknown' | 'slow' | 'unreachable' | 'reachable'

export interface ReachState {
  readonly reach: Reach
  /** The provider answers again; charts on the screen stay as they are until `adopt` or `retry`. */
  readonly hasRecovered: boolean
}

export interface ReachDeps {
  /** Resolves once the host answers anything, rejects where it cannot be reached. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>
  /** False where only reports tell, as with the provider's script tag. */
  readonly canProbe: boolean
  /** Storage of the session. */
  readonly kept: SafeStorage
  readonly after: (delayMs: number, run: () => void) => () => void
}

export interface WidgetReach {
  readonly state: () => ReachState
  /** Returns the way to stop. */
  readonly onChange: (listener: () => void) => () => void
  /** Finds out, unless that was done or is under way. */
  start(): void
  /** What a frame or script of the provider showed: that it answers, or that it failed to load. */
  report(isAnswer: boolean): void
  /** Gives the provider another chance now. */
  retry(): void
  /** Lets charts that are opened from now on use a provider that has recovered. */
  adopt(): void
}

/** How long a host may be silent before our own chart is shown. */
const slowAfterMs = 2_000
/** How long one attempt may take; a host that answers within is reachable, however slow. */
const attemptMs = 10_000
const firstPauseMs = 5_000
const longestPauseMs = 300_000
const keptName = 'widget.unreachable'

export function widgetReach({ probe, canProbe, kept, after }: ReachDeps): WidgetReach {
  const listeners = listenerSet()
  let state: ReachState = { reach: kept.get(keptName) === undefined ? 'unknown' : 'unreachable', hasRecovered: false }
  let isStarted = false
  let pauseMs = firstPauseMs
  let cancelAttempt: () => void = () => undefined
  let cancelPause: () => void = () => undefined

  function set(reach: Reach, hasRecovered = false): void {
    if (reach === 'slow' || reach === 'unreachable') kept.set(keptName, 'yes')
    if (reach === 'reachable') kept.remove(keptName)
    if (state.reach === reach && state.hasRecovered === hasRecovered) return
    state = { reach, hasRecovered }
    listeners.notify()
  }

  function stopWork(): void {
    cancelAttempt()
    cancelPause()
  }

  function attempt(onAnswer: () => void): void {
    const controller = new AbortController()
    let isOver = false
    const end = (then: () => void) => {
      if (isOver) return
      cancelAttempt()
      then()
    }
    const cancelSlow = after(slowAfterMs, () => {
      if (state.reach === 'unknown') set('slow')
    })
    const cancelLimit = after(attemptMs, () => end(fail))
    cancelAttempt = () => {
      isOver = true
      cancelSlow()
      cancelLimit()
      controller.abort()
    }
    probe(controller.signal).then(
      () => end(onAnswer),
      () => end(fail),
    )
  }

  function fail(): void {
    set('unreachable')
    if (!canProbe) return
    cancelPause = after(pauseMs, () => attempt(recover))
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  /** Nobody wants the chart under their eyes exchanged minutes later. */
  function recover(): void {
    set(state.reach, true)
  }

  const begin = (): void => {
    if (canProbe) attempt(() => set('reachable'))
  }

  return {
    state: () => state,
    onChange: listeners.add,
    start() {
      if (isStarted) return
      isStarted = true
      begin()
    },
    report(isAnswer) {
      isStarted = true
      stopWork()
      if (isAnswer) set('reachable')
      else fail()
    },
    retry() {
      isStarted = true
      stopWork()
      pauseMs = firstPauseMs
      set('unknown')
      begin()
    },
    adopt() {
      if (state.hasRecovered) set('reachable')
    },
  }
}
