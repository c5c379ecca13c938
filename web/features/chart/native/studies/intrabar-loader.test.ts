// Older pages of intrabar candles when the server rate-limits some.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#shared/http/api-error.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { barStore } from '../bar-store.ts'
import type { CandleSource, OlderCandles, BackfillRequest } from '#web/features/market-data/candle-source.ts'
import { intrabarFeed } from './intrabar-loader.ts'

const minuteMs = 60_000
const nowMs = Date.parse('2026-11-20T00:00Z')
const tooMany = new ApiError(429, { message: 'Too many' }, 3)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rows = (toMs: number, count: number): CandleRow[] =>
  Array.from({ length: count }, (_, index) => [toMs - (count - index) * minuteMs, 10, 11, 9, 10, 1, null])

function feedOf(answers: readonly ('page' | Error)[]) {
  const left = [...answers]
  const asked: BackfillRequest[] = []
  const source: CandleSource = {
    open(_request, listener) {
      queueMicrotask(() =>
        listener.snapshot({
          candles: rows(nowMs, 10),
          hasOlder: true,
          condition: { label: null, sessionClass: 'crypto', isStale: false, reason: null },
        }),
      )
      return () => undefined
    },
    older(request): Promise<OlderCandles> {
      asked.push(request)
      const answer = left.shift() ?? tooMany
      if (answer !== 'page') return Promise.reject(answer)
      return Promise.resolve({ candles: rows(request.toMs, 5_000), hasOlder: true })
    },
    clockOffsetMs: () => 0,
  }
  const bars = barStore()
  const feed = intrabarFeed({ slug: 'btc-usdt', timeframe: '5', source, bars: () => bars.bars, onData: () => undefined })
  feed?.want(nowMs - 5 * 24 * 60 * minuteMs)
  return { feed, asked }
}

test("a rate-limited page is requested again after the server's delay, and the others follow", async () => {
  const { asked } = feedOf(['page', tooMany, 'page'])
  await vi.advanceTimersByTimeAsync(2_999)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveLength(3)
  expect(asked[2]).toEqual(asked[1])
})

test('retries stop when the server keeps rejecting', async () => {
  const { asked } = feedOf([])
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(asked).toHaveLength(11)
})

test('neither another error nor a disposed chart leads to another request', async () => {
  const failed = feedOf([new ApiError(500, { message: 'Broken' })])
  const gone = feedOf([tooMany, 'page'])
  await vi.advanceTimersByTimeAsync(1_000)
  gone.feed?.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(failed.asked).toHaveLength(1)
  expect(gone.asked).toHaveLength(1)
})
