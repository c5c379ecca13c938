// Caches a value that is expensive to read.

/** Reads at most once per `ms`; errors are not cached. */
export function cachedFor<T>(ms: number, read: () => Promise<T>, monotonic: () => number): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly sinceMs: number } | undefined
  return () => {
    if (kept === undefined || monotonic() - kept.sinceMs >= ms) {
      const fresh = { value: read(), sinceMs: monotonic() }
      kept = fresh
      fresh.value.catch(() => {
        if (kept === fresh) kept = undefined
      })
    }
    return kept.value
  }
}
