// Splits a long history request into calls.
import type { TimeSpan } from '#shared/base/time-span.ts'

/** Splits [fromMs, toMs) into spans of at most `spanMs`, ascending; empty for an empty range. */
export function historySpans(span: TimeSpan, spanMs: number): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += spanMs) {
    spans.push({ fromMs, toMs: Math.min(span.toMs, fromMs + spanMs) })
  }
  return spans
}
