// Recording a provider and replaying the recording; and all recordings that operators have stored next to this file.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Feed, FeedClock, FeedLog, SourceName } from '../../feed.ts'
import { binanceFeed } from '../binance-feed.ts'
import { coinbaseFeed } from '../coinbase-feed.ts'
import { kiteFeed } from '../kite-feed.ts'
import { krakenFeed } from '../kraken-feed.ts'
import { openalgoFeed } from '../openalgo-feed.ts'
import { twelveDataFeed } from '../twelve-data-feed.ts'
import { yahooFeed } from '../yahoo-feed.ts'
import { binanceDialect } from './fake-binance-server.ts'
import { coinbaseDialect } from './fake-coinbase-server.ts'
import type { Dialect } from './dialect.ts'
import { feedFixture, type FeedFixture } from './feed-fixture.ts'
import { kiteDialect, kiteKeys } from './fake-kite-server.ts'
import { krakenDialect } from './fake-kraken-server.ts'
import { openAlgoDialect, openAlgoTestKey } from './fake-openalgo-server.ts'
import { recordFeed } from './recorder.ts'
import { isMade, readRecording, writeRecording, type Recording } from './recording.ts'
import { replay } from './replay.ts'
import { twelveDataDialect, twelveDataTestKey } from './fake-twelve-data-server.ts'
import { yahooDialect } from './fake-yahoo-server.ts'

interface Outside {
  readonly restUrl: string
  readonly socketUrl: string
  readonly clock: FeedClock
  readonly log: FeedLog
}
type Keys = Readonly<Record<'key' | 'token', string>>

/** Adapters for recording and replay: with real keys, and with their placeholder. */
const adapters: Readonly<Partial<Record<SourceName, (options: Outside, keys: Keys) => Feed>>> = {
  binance: (options) => binanceFeed(options),
  kraken: (options) => krakenFeed(options),
  coinbase: (options) => coinbaseFeed(options),
  'twelve-data': (options, { key }) => twelveDataFeed({ ...options, apiKey: key }),
  yahoo: (options) => yahooFeed(options),
  kite: (options, { key, token }) => kiteFeed({ ...options, apiKey: key, accessToken: token }),
  openalgo: (options, { key }) => openalgoFeed({ ...options, apiKey: key }),
}
const noKeys: Keys = { key: 'KEY', token: 'KEY' }
const keysOfKite: Keys = { key: kiteKeys.apiKey, token: kiteKeys.accessToken }
const log: FeedLog = () => undefined
const liveMs = 150_000

function make(source: SourceName, options: Outside, keys: Keys): Feed {
  const adapter = adapters[source]
  if (adapter === undefined) throw new Error(`${source} is not recorded`)
  return adapter(options, keys)
}

const playAgain = (recording: Recording) => replay(recording, (urls, clock) => make(recording.head.source, { ...urls, clock, log }, noKeys))

async function record(dialect: Dialect, keys: Keys, disturb: (fixture: FeedFixture) => void = () => undefined): Promise<Recording> {
  const { source } = dialect
  const fixture = await feedFixture({ dialect, make: (options) => make(source, options, keys), staleAfterMs: 60_000 })
  const { exchange, clock, symbol } = fixture
  disturb(fixture)
  const { restUrl, socketUrl } = exchange
  const parts = { source, symbol, restUrl, socketUrl, clock, liveMs, secrets: [keys.key, keys.token] }
  const recording = recordFeed({ ...parts, make: (urls) => make(source, { ...urls, clock, log }, keys) })
  // History requests wait where the provider is rate limited.
  await exchange.play(liveMs + 60_000)
  return await recording
}

const subjects: readonly { readonly dialect: Dialect; readonly keys: Keys }[] = [
  { dialect: binanceDialect, keys: noKeys },
  { dialect: krakenDialect, keys: noKeys },
  { dialect: coinbaseDialect, keys: noKeys },
  { dialect: twelveDataDialect, keys: { key: twelveDataTestKey, token: 'no-token' } },
  { dialect: yahooDialect, keys: noKeys },
  { dialect: kiteDialect, keys: keysOfKite },
  { dialect: openAlgoDialect, keys: { key: openAlgoTestKey, token: 'no-token' } },
]

describe('a recording', () => {
  test('is not written if it contains a key', () => {
    const head = { kind: 'recording', source: 'kite', symbol: 'NSE:X', startMs: 0 } as const
    const notified = { kind: 'sent', atMs: 0, line: 1, text: 'token hunter2' } as const
    expect(() => writeRecording({ head, entries: [notified] }, ['hunter2'])).toThrow('nothing is written')
    expect(() => readRecording('{"kind":"answer"}\n')).toThrow('no recording')
  })

  test.for(subjects)('of $dialect.source has no key, and its replay gives the same history and prices', async ({ dialect, keys }) => {
    const recording = await record(dialect, keys)
    const made = recording.entries.filter(isMade)
    expect(made.filter(({ kind }) => kind === 'failure')).toEqual([])
    expect(made.find((entry) => entry.kind === 'history' && entry.step === '1m' && entry.candles.length > 10)).toBeDefined()
    expect(made.filter(({ kind }) => kind === 'minute' || kind === 'trade').length).toBeGreaterThan(3)
    const text = writeRecording(recording, keys === noKeys ? [] : Object.values(keys))
    expect(await playAgain(readRecording(text))).toEqual({ made, unasked: [] })
  })

  test('of an account does not contain its orders', async () => {
    const order = '{"type":"order","data":{"account_id":"AB1234"}}'
    const recording = await record(kiteDialect, keysOfKite, ({ exchange }) => {
      exchange.faults.frame = (frame) => [frame, order]
    })
    expect(recording.entries.filter(({ kind }) => kind === 'frame').length).toBeGreaterThan(3)
    expect(JSON.stringify(recording)).not.toContain('AB1234')
  })

  test('of a rejection contains it, and so does its replay', async () => {
    const recording = await record(binanceDialect, noKeys, ({ exchange }) => {
      exchange.faults.rejectDialWith = 451
      exchange.faults.http = () => ({ status: 403, body: '{"msg":"no"}' })
    })
    const made = recording.entries.filter(isMade)
    expect(made).toContainEqual({ kind: 'failure', step: '1m', reason: 'refused' })
    expect(made.at(-1)).toEqual({ kind: 'state', state: 'refused' })
    expect(await playAgain(recording)).toEqual({ made, unasked: [] })
  })
})

describe('a replay shows', () => {
  test('changed provider data, and requests that an adapter no longer sends', async () => {
    const recording = await record(binanceDialect, noKeys)
    const made = recording.entries.filter(isMade)
    const other = readRecording(writeRecording(recording, []).replaceAll('"x\\":true', '"x\\":false'))
    expect((await playAgain(other)).made).not.toEqual(made)
    const longer = { ...recording, entries: recording.entries.map((each) => ('path' in each ? { ...each, path: '/api/v4' } : each)) }
    expect((await playAgain(longer)).unasked).toContain('answer /api/v4')
  })
})

const folder = path.join(import.meta.dirname, 'recordings')
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))

test.for(files)('the recording %s still gives its recorded result', async (name) => {
  const recording = readRecording(readFileSync(path.join(folder, name), 'utf8'))
  expect(await playAgain(recording)).toEqual({ made: recording.entries.filter(isMade), unasked: [] })
})
