// Splitting long history requests into calls.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { historySpans } from './history-spans.ts'

describe('spans', () => {
  it('are empty for an empty range', () => {
    expect(historySpans({ fromMs: 5, toMs: 5 }, 10)).toEqual([])
    expect(historySpans({ fromMs: 5, toMs: 4 }, 10)).toEqual([])
  })

  it('join, stay within the maximum length, and cover the request', async () => {
    await assertProperty(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 300 }), (fromMs, length, spanMs) => {
        const spans = historySpans({ fromMs, toMs: fromMs + length }, spanMs)
        expect(spans[0]?.fromMs).toBe(fromMs)
        expect(spans.at(-1)?.toMs).toBe(fromMs + length)
        for (const [i, span] of spans.entries()) {
          expect(span.toMs - span.fromMs).toBeLessThanOrEqual(spanMs)
          if (i > 0) expect(span.fromMs).toBe(spans[i - 1]?.toMs)
        }
      }),
    )
  })
})
