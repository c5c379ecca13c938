// The real clock for feeds and gateway, whose timers do not keep the process alive, and work that no caller waits for.
import type { FeedClock } from './feed.ts'

/** Errors of its timers go to `onError`; without one they end the process, as suits a script. */
export function realClock(onError: (error: unknown) => void = rethrow): FeedClock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(delayMs, run) {
      // setTimeout fires immediately for delays of more than 24 days.
      const timer = setTimeout(() => void Promise.try(run).catch(onError), Math.min(delayMs, 2_147_483_647))
      timer.unref()
      return () => clearTimeout(timer)
    },
    random: () => Math.random(),
  }
}

/** Runs at intervals until the returned function is called. An error ends one run, not the repetition. */
export function repeat(clock: Pick<FeedClock, 'after'>, everyMs: number, run: () => void): () => void {
  let cancel = clock.after(everyMs, function again() {
    cancel = clock.after(everyMs, again)
    run()
  })
  return () => cancel()
}

/** Runs immediately and again after a pause, until the returned function is called; errors do not end it. */
export function keepRunning(
  clock: Pick<FeedClock, 'after'>,
  everyMs: number,
  run: () => unknown,
  onError: (error: unknown) => void,
): () => void {
  let isStopped = false
  let cancel: () => void = () => undefined
  async function round(): Promise<void> {
    await Promise.try(run).catch(onError)
    if (!isStopped) cancel = clock.after(everyMs, round)
  }
  void round()
  return () => {
    isStopped = true
    cancel()
  }
}

/** Runs the work of an event, which has no caller to catch its error and would end the process; an error goes to `onError`. */
export function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    onError(error)
  }
}

function rethrow(error: unknown): void {
  throw error
}

/** Resolves after a delay, or as soon as waiting is pointless. */
export function wait(clock: FeedClock, delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  const cancel = clock.after(delayMs, resolve)
  signal.addEventListener('abort', () => {
    cancel()
    resolve()
  })
  return promise
}
