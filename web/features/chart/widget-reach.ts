// Whether the widget's provider is reachable from this browser: fast detection, remembered for the session, silent retries.
import { listenerSet } from '#shared/base/listeners.ts'
import type { SafeStorage } from '#web/lib/browser-storage.ts'

/** `slow`: no answer for two seconds. The Tezi chart takes over, where there is one, until an answer comes. */
export type Reach = 'unknown' | 'slow' | 'unreachable' | 'reachable'

export interface ReachState {
  readonly reach: Reach
  /** The provider answers again; visible charts stay as they are until `adopt` or `retry`. */
  readonly hasRecovered: boolean
}

export interface ReachDeps {
  /** Resolves on any response, rejects when unreachable. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>
  /** False where only reports count, as with the provider's script tag. */
  readonly canProbe: boolean
  /** Session storage. */
  readonly kept: SafeStorage
  readonly after: (delayMs: number, run: () => void) => () => void
  /** Milliseconds since the page began to load. */
  readonly pageAgeMs: () => number
}

/** How long a host may be silent before the Tezi chart is shown; on a new page the time that it took to load counts. */
const slowAfterMs = 2_000
/** A host always has this long to answer. */
const leastSlowMs = 1_200
/** Timeout of one attempt; a host that answers within it is reachable, however slow. */
const attemptMs = 10_000
const firstPauseMs = 5_000
const longestPauseMs = 300_000
const keptName = 'widget.unreachable'

export class WidgetReach {
  readonly #deps: ReachDeps
  readonly #listeners = listenerSet()
  /** Returns an unsubscribe function. */
  readonly onChange = this.#listeners.add
  #state: ReachState
  #isStarted = false
  #pauseMs = firstPauseMs
  #cancelAttempt: () => void = () => undefined
  #cancelPause: () => void = () => undefined

  constructor(deps: ReachDeps) {
    this.#deps = deps
    this.#state = { reach: deps.kept.get(keptName) === undefined ? 'unknown' : 'unreachable', hasRecovered: false }
  }

  /** For `useSyncExternalStore`, like `onChange`. */
  readonly state = (): ReachState => this.#state

  /** Starts a probe, unless one has finished or is running. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#begin()
  }

  /** What the provider's frame or script reported: an answer, or a failed load. */
  report(isAnswer: boolean): void {
    this.#isStarted = true
    this.#stopWork()
    if (isAnswer) this.#set('reachable')
    else this.#fail()
  }

  /** Tries the provider again now. */
  retry(): void {
    this.#isStarted = true
    this.#stopWork()
    this.#pauseMs = firstPauseMs
    this.#set('unknown')
    this.#begin()
  }

  /** Lets charts that are opened from now on use a recovered provider. */
  adopt(): void {
    if (this.#state.hasRecovered) this.#set('reachable')
  }

  #begin(): void {
    if (this.#deps.canProbe) this.#attempt(() => this.#set('reachable'))
  }

  #attempt(onAnswer: () => void): void {
    this.#cancelAttempt = probeOnce(this.#deps, {
      onSlow: () => {
        if (this.#state.reach === 'unknown') this.#set('slow')
      },
      onAnswer,
      onFailure: () => this.#fail(),
    })
  }

  #fail(): void {
    const { canProbe, after } = this.#deps
    this.#set('unreachable')
    if (!canProbe) return
    // Visible charts are not replaced: a sudden change of chart would disturb the user.
    const recover = () => this.#set(this.#state.reach, true)
    this.#cancelPause = after(this.#pauseMs, () => this.#attempt(recover))
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
  }

  #stopWork(): void {
    this.#cancelAttempt()
    this.#cancelPause()
  }

  #set(reach: Reach, hasRecovered = false): void {
    const { kept } = this.#deps
    if (reach === 'slow' || reach === 'unreachable') kept.set(keptName, 'yes')
    if (reach === 'reachable') kept.remove(keptName)
    if (this.#state.reach === reach && this.#state.hasRecovered === hasRecovered) return
    this.#state = { reach, hasRecovered }
    this.#listeners.notify()
  }
}

interface ProbeEvents {
  readonly onSlow: () => void
  readonly onAnswer: () => void
  /** Rejected, or silent for too long. */
  readonly onFailure: () => void
}

/** One attempt; returns the function that cancels it. */
function probeOnce(
  { probe, after, pageAgeMs }: Pick<ReachDeps, 'probe' | 'after' | 'pageAgeMs'>,
  { onSlow, onAnswer, onFailure }: ProbeEvents,
): () => void {
  const controller = new AbortController()
  let isOver = false
  const cancel = () => {
    isOver = true
    cancelSlow()
    cancelLimit()
    controller.abort()
  }
  const end = (notify: () => void) => {
    if (isOver) return
    cancel()
    notify()
  }
  const ageMs = pageAgeMs()
  const cancelSlow = after(ageMs < slowAfterMs ? Math.max(leastSlowMs, slowAfterMs - ageMs) : slowAfterMs, onSlow)
  const cancelLimit = after(attemptMs, () => end(onFailure))
  probe(controller.signal).then(
    () => end(onAnswer),
    () => end(onFailure),
  )
  return cancel
}
