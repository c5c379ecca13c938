// Real sources are asked while nobody watches, by the process that makes the prices.
import { expect, it } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { manualClock, settle } from './feeds/testing/manual-clock.ts'
import { FeedError, type Feed, type SourceName } from './feed.ts'
import { parseLicences } from './licences.ts'
import { probeSources } from './source-probes.ts'

function feedOf(source: SourceName, history: Feed['history']): Feed {
  return { source, steps: ['1m', '1D'], live: 'minutes', history, watch: () => () => undefined, close: () => Promise.resolve() }
}

function world({ isHub = () => true, licences = '' }: { isHub?: () => boolean; licences?: string } = {}) {
  const clock = manualClock(Date.parse('2026-11-25T06:00:00Z'))
  const asked: string[] = []
  const lines: string[] = []
  let answer: () => Promise<never[]> = () => Promise.resolve([])
  const feed = (source: SourceName) =>
    feedOf(source, ({ symbol, step }) => {
      asked.push(`${source} ${symbol} ${step}`)
      return answer()
    })
  const parsed = parseLicences(licences)
  if (typeof parsed === 'string') throw new Error(parsed)
  const feeds = new Map((['kraken', 'kite'] as const).map((source) => [source, feed(source)]))
  const probes = probeSources({ feeds, licences: parsed, clock, log: (line) => void lines.push(line), isHub })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle([clock.activity])
  }
  return { pass, asked, lines, probes, answerWith: (next: typeof answer) => void (answer = next) }
}

it('asks each source that may be shown, at once and every five minutes', async () => {
  const { pass, asked, probes } = world()
  await pass(0)
  expect(asked).toEqual(['kraken BTC/USD 1D'])
  expect([...probes.sources]).toEqual(['kraken'])
  expect([...probes.reach()]).toEqual([['kraken', { failure: null }]])
  await pass(5 * minuteMs + 10 * secondMs)
  expect(asked).toHaveLength(2)
  probes.stop()
  await pass(20 * minuteMs)
  expect(asked).toHaveLength(2)
})

it('says why one does not work, until it answers again; too many requests are an answer', async () => {
  const { pass, lines, probes, answerWith } = world()
  answerWith(() => Promise.reject(new FeedError('unreachable', 'Kraken cannot be reached')))
  await pass(6 * minuteMs)
  expect(probes.reach().get('kraken')).toEqual({ failure: 'Kraken cannot be reached' })
  answerWith(() => Promise.reject(new FeedError('limited', 'too often')))
  await pass(6 * minuteMs)
  expect(probes.reach().get('kraken')).toEqual({ failure: null })
  expect(lines).toEqual(['Kraken cannot be reached', 'the source answers again'])
  probes.stop()
})

it('asks a licensed source, and none while another process makes the prices', async () => {
  let isHub = false
  const { pass, asked, probes } = world({ isHub: () => isHub, licences: 'nse=licensed:N,kite=licensed:K' })
  await pass(6 * minuteMs)
  expect([asked, [...probes.reach()]]).toEqual([[], []])
  isHub = true
  await pass(10 * secondMs)
  expect(asked).toEqual(['kraken BTC/USD 1D', 'kite NSE:NIFTY 50 1D'])
  isHub = false
  expect([...probes.reach()]).toEqual([])
  probes.stop()
})
