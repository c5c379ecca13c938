// CSV candle files: validation errors, parsing, and the feed over a folder.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realClock } from '../real-clock.ts'
import type { FeedState, HistoryRequest, HistoryStep } from '../feed.ts'
import { readCsvCandles, csvFeed } from './csv-feed.ts'

const nowMs = Date.parse('2026-11-20T06:00:00Z')
const clock = { ...realClock(), now: () => nowMs }
const header = 'time,open,high,low,close,volume'

async function* linesOf(text: string): AsyncGenerator<string> {
  for (const line of text.split('\n')) yield await Promise.resolve(line)
}
const readAll = (text: string, step: HistoryStep = '1m') => readCsvCandles(linesOf(text), { name: 'nifty.1m.csv', step, nowMs })
const read = async (text: string, step: HistoryStep = '1m') => (await readAll(text, step)).candles

test.each([
  ['', 'nifty.1m.csv is empty; its first line must be time,open,high,low,close,volume'],
  ['time,open,high,low', 'line 1: the column close is missing'],
  ['time,open,high,low,close,vwap', 'line 1: unknown column "vwap"'],
  ['time,open,high,low,close,open', 'line 1: the column open twice'],
  [`${header}\n\n1763600400,1,2,1,2`, 'line 3: 5 columns instead of 6'],
  [`${header}\n1763600400,1,2,1,x,0`, 'line 2: close "x" is no number'],
  [`${header}\n1763600400,1,2,1,0x10,0`, 'line 2: close "0x10" is no number'],
  [`${header}\n1763600400,1,2,1,,0`, 'line 2: close "" is no number'],
  [`${header}\n1763600400,1,1e999,1,1,0`, 'line 2: high "1e999" is no number'],
  [`${header}\n1763600400,1,2,0,1,0`, 'line 2: a price that is not above zero'],
  [`${header}\n1763600400,1,2,1.5,2,0`, 'line 2: low is above open or close'],
  [`${header}\n1763600400,1,2,1,3,0`, 'line 2: high is below open or close'],
  [`${header}\n1763600400,1,2,1,2,-1`, 'line 2: volume is below zero'],
  [`${header}\n1763600401,1,2,1,2,0`, 'line 2: time "1763600401" is not the start of a candle'],
  [`${header}\n2026-11-20 09:15,1,2,1,2,0`, 'line 2: time "2026-11-20 09:15" is neither epoch nor ISO with its zone'],
  [`${header}\n2026-11-20,1,2,1,2,0`, 'line 2: time "2026-11-20" is neither epoch nor ISO with its zone'],
  [`${header}\n2026-02-31T09:15Z,1,2,1,2,0`, 'line 2: time "2026-02-31T09:15Z" is neither epoch nor ISO'],
  [`${header}\n1863600420,1,2,1,2,0`, 'line 2: time "1863600420" is in the future'],
])('rejects %j', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({ kind: 'malformed', message: expect.stringContaining(message) as string })
})

test('reads seconds, milliseconds and ISO, any order of rows and columns, and unknown volume', async () => {
  const text = [
    '\uFEFFVolume,close,low,high,open,time',
    '7,2,1,3,1.5,2025-11-20T06:32:00+05:30\r',
    ',2,1,3,1.5,1763600400',
    '1e2,2,.5,3,1.5,1763600460000',
    '',
  ].join('\n')
  const candle = { open: 1.5, high: 3, low: 1, close: 2, takerBuyVolume: null }
  expect(await read(text)).toEqual([
    { ...candle, timeMs: 1_763_600_400_000, volume: null },
    { ...candle, timeMs: 1_763_600_460_000, volume: 100, low: 0.5 },
    { ...candle, timeMs: 1_763_600_520_000, volume: 7 },
  ])
})

test('days may be dates, hours may start at a quarter past', async () => {
  expect(await read('time,open,high,low,close\n2026-11-19,1,2,1,2', '1D')).toMatchObject([
    { timeMs: Date.parse('2026-11-19'), volume: null },
  ])
  expect(await read('time,open,high,low,close\n2026-11-19T09:15+05:30,1,2,1,2', '1h')).toHaveLength(1)
})

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tezi-csv-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const wanted = { symbol: 'nifty', step: '1m', fromMs: 0, toMs: Infinity } as const
const stateOf = (symbol: string) => {
  const feed = csvFeed({ dir, clock })
  return new Promise<FeedState>((resolve) => {
    feed.watch(symbol, { state: resolve, minute: () => undefined, trade: () => undefined })
  })
}

test('a symbol without a file is rejected and has no history; a path as symbol is not looked up', async () => {
  const feed = csvFeed({ dir, clock })
  expect(await stateOf('nifty')).toMatchObject({ kind: 'refused', reason: expect.stringContaining('nifty.1m.csv') as string })
  expect(await feed.history(wanted)).toEqual([])
  await expect(feed.history({ ...wanted, symbol: '../secret' })).rejects.toMatchObject({ kind: 'refused' })
})

test('an invalid line costs no other one, and is reported', async () => {
  const good = '1,2,1,2,0'
  const lines = [`1763600400,${good}`, '1763600460,1,2,1,9,0', `1763600520,${good}`, `1763600520000,${good}`, 'x', `1763600580,${good}`]
  const { candles, rejected, rejectedCount } = await readAll([header, ...lines].join('\n'))
  expect(candles.map(({ timeMs }) => timeMs / 1_000)).toEqual([1_763_600_400, 1_763_600_520, 1_763_600_580])
  expect(rejected.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '3 high is below open or close',
    '5 the time of line 4 again',
    '6 1 columns instead of 6',
  ])
  expect(rejectedCount).toBe(3)
  await writeFile(path.join(dir, 'nifty.1m.csv'), [header, ...lines].join('\n'))
  const missing: number[] = []
  const feed = csvFeed({ dir, clock })
  const onRejected: HistoryRequest['onRejected'] = (rows) => void missing.push(...rows.map(({ span }) => span.fromMs / 1_000))
  expect(await feed.history({ ...wanted, onRejected })).toHaveLength(3)
  expect(missing).toEqual([1_763_600_460])
})

test('a file without a valid line fails the call and names the file, and a fixed file is read again', async () => {
  const feed = csvFeed({ dir, clock })
  const file = path.join(dir, 'nifty.1m.csv')
  await writeFile(file, `${header}\n1763600400,1,2,1,9,0\n`)
  await expect(feed.history(wanted)).rejects.toThrow('nifty.1m.csv, line 2: high is below open or close')
  await writeFile(file, `${header}\n1763600400,1,2,1,2,0\n1763600460,1,2,1,2,5\n`)
  // Within one tick of the file system's clock only the size would show the change.
  await utimes(file, new Date(), new Date(Date.now() + 5_000))
  expect(await feed.history(wanted)).toHaveLength(2)
  expect(await feed.history({ ...wanted, fromMs: 1_763_600_460_000 })).toMatchObject([{ volume: 5 }])
  expect(await feed.history({ ...wanted, toMs: 1_763_600_460_000 })).toMatchObject([{ volume: 0 }])
  expect(await stateOf('nifty')).toEqual({ kind: 'live' })
})

test('an unreadable file fails only that call', async () => {
  await mkdir(path.join(dir, 'nifty.1m.csv'))
  await expect(csvFeed({ dir, clock }).history(wanted)).rejects.toThrow('EISDIR')
})

test('an unfinished candle is left out', async () => {
  const feed = csvFeed({ dir, clock })
  const rows = [nowMs - 60_000, nowMs - 30_000 - (nowMs % 60_000), nowMs].map((ms) => Math.floor(ms / 60_000) * 60_000)
  await writeFile(path.join(dir, 'nifty.1m.csv'), `${header}\n${[...new Set(rows)].map((ms) => `${ms},1,2,1,2,0`).join('\n')}`)
  expect((await feed.history(wanted)).map(({ timeMs }) => timeMs)).toEqual([nowMs - 60_000])
})
