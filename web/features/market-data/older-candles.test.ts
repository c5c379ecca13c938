// Older pages by the edition that the page after them has named.
import { expect, test } from 'vitest'
import { fixedPages } from './older-candles.ts'

test('a page is asked for as the page after it names it, and otherwise by time', async () => {
  const asked: object[] = []
  const older = { to: 900, limit: 10, edition: 'premium-a' }
  const pages = fixedPages()
  const read = (toMs: number, chart = 'nifty 5 all') =>
    pages.older({ chart, toMs, limit: 10 }, (query) => {
      asked.push(query)
      return Promise.resolve({ candles: [[query.to - 95]] as const, older: query.to === 1_000 ? older : null })
    })
  await read(1_000)
  await read(905)
  await read(905, 'nifty 15 all')
  await read(805)
  expect(asked).toEqual([
    { to: 1_000, limit: 10, pages: 'fixed' },
    { ...older, pages: 'fixed' },
    { to: 905, limit: 10, pages: 'fixed' },
    { to: 805, limit: 10, pages: 'fixed' },
  ])
})
