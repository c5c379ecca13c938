// One-shot timer as a port: code that waits takes it as an argument, and tests pass their own.

/** Runs after the delay; returns the function that cancels it. */
export function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}

/** Long enough for the first screen to have loaded everything that it shows. */
const startMs = 2_000

/** Runs what the first screen does not need; returns the function that cancels it. */
export function afterStart(run: () => void): () => void {
  return after(startMs, run)
}
