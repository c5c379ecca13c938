// A value that costs something to read, kept for a while.

/** Reads at most once in `ms`; a failed reading is not kept. */
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
