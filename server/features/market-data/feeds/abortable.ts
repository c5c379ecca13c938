// Awaits a shared promise; a caller's AbortSignal rejects only its own wait.

/** The result of the work, or the signal's reason as soon as it is aborted. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work
  if (signal.aborted) {
    // Nobody else may be waiting for it, and an unhandled rejection would end the process.
    work.catch(() => undefined)
    throw signal.reason as Error
  }
  const { promise, reject } = Promise.withResolvers<never>()
  const give = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}
