// Responses with more rows than any call asks for are malformed.
import { expect, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { marketSubjects } from '../history/testing/market-subjects.ts'
import { rowsMax, rowsOf } from './provider-number.ts'
import { feedFixture, fridayMs } from './testing/feed-fixture.ts'
import { repeatRows } from './testing/provider-rows.ts'
import { z } from 'zod'

test.each(marketSubjects.filter(([name]) => name !== 'Binance as gold'))('%s', async (_name, subject) => {
  const fixture = await feedFixture(subject)
  const { exchange, feed, symbol, clock } = fixture
  exchange.faults.http = (request) => {
    const reply = subject.dialect.answer(request, exchange.truth)
    if (reply === null || reply.status !== 200 || !/^\s*[[{]/.test(reply.body)) return undefined
    return { ...reply, body: repeatRows(subject.dialect.source, reply.body, 150_000) }
  }
  const state = { isDone: false }
  const span = { fromMs: fridayMs - 16 * minuteMs, toMs: fridayMs - 2 * minuteMs }
  const answer = feed
    .history({ symbol, step: '1m', ...span })
    .then(
      (rows) => rows.length,
      (error: unknown) => error,
    )
    .finally(() => (state.isDone = true))
  await exchange.settle()
  while (!state.isDone) {
    clock.advance(500)
    await exchange.settle()
  }
  expect(await answer).toMatchObject({ kind: 'malformed' })
})

test('the most rows are accepted', () => {
  const rows = Array.from({ length: rowsMax }, () => 1)
  expect(rowsOf(z.number()).safeParse(rows).success).toBe(true)
  expect(rowsOf(z.number()).safeParse([...rows, 1]).success).toBe(false)
})
