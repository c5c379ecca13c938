// Arithmetic of lists of time spans; every list is ascending, and its spans do not touch.

export interface TimeSpan {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** Adds a span and merges it with those that it overlaps or touches. */
export function addSpan(spans: readonly TimeSpan[], { fromMs, toMs }: TimeSpan): TimeSpan[] {
  if (!(fromMs < toMs)) return [...spans]
  const before = spans.filter((span) => span.toMs < fromMs)
  const after = spans.filter((span) => span.fromMs > toMs)
  const merged = spans.slice(before.length, spans.length - after.length)
  return [...before, { fromMs: Math.min(fromMs, merged[0]?.fromMs ?? fromMs), toMs: Math.max(toMs, merged.at(-1)?.toMs ?? toMs) }, ...after]
}

/** Intersection of two lists. */
export function intersectSpans(one: readonly TimeSpan[], other: readonly TimeSpan[]): TimeSpan[] {
  const found: TimeSpan[] = []
  let [i, j] = [0, 0]
  for (let [a, b] = [one[i], other[j]]; a !== undefined && b !== undefined; [a, b] = [one[i], other[j]]) {
    const [fromMs, toMs] = [Math.max(a.fromMs, b.fromMs), Math.min(a.toMs, b.toMs)]
    if (fromMs < toMs) found.push({ fromMs, toMs })
    if (a.toMs < b.toMs) i += 1
    else j += 1
  }
  return found
}

/** The first list without the spans of the second. */
export function subtractSpans(spans: readonly TimeSpan[], removed: readonly TimeSpan[]): TimeSpan[] {
  const rest: TimeSpan[] = []
  let first = 0
  for (const { fromMs, toMs } of spans) {
    let startMs = fromMs
    while ((removed[first]?.toMs ?? Infinity) <= fromMs) first += 1
    for (let index = first; (removed[index]?.fromMs ?? Infinity) < toMs; index += 1) {
      const hole = removed[index] as TimeSpan
      if (hole.fromMs > startMs) rest.push({ fromMs: startMs, toMs: hole.fromMs })
      startMs = Math.max(startMs, hole.toMs)
    }
    if (startMs < toMs) rest.push({ fromMs: startMs, toMs })
  }
  return rest
}
