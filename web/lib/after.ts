// One-shot timer as a port: code that waits takes it as an argument, and tests pass their own.

/** Runs after the delay; returns the function that cancels it. */
export function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}
