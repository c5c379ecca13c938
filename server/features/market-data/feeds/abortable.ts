// Awaits a shared promise; a caller's AbortSignal rejects only its own wait.

/** The result of the work, or the signal's reason as soon as it is aborted. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal?.reason as Error)
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([aborted.promise, work])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}
