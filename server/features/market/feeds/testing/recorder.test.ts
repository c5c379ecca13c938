// Recording a provider and playing the recording again; and every recording that operators have put beside this file.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Feed, FeedClock, FeedLog, SourceName } from '../../feed.ts'
import { binanceFeed } from '../binance.ts'
import { coinbaseFeed } from '../coinbase.ts'
import { kiteFeed } from '../kite.ts'
import { krakenFeed } from '../kraken.ts'
import { openalgoFeed } from '../openalgo.ts'
import { twelveDataFeed } from '../twelve-data.ts'
import { yahooFeed } from '../yahoo.ts'
import { binanceDialect } from './binance-dialect.ts'
import { coinbaseDialect } from './coinbase-dialect.ts'
import type { Dialect } from './dialect.ts'
import { feedWorld, type FeedWorld } from './feed-world.ts'
import { kiteDialect, kiteKeys } from './kite-dialect.ts'
import { krakenDialect } from './kraken-dialect.ts'
import { openAlgoDialect, openAlgoTestKey } from './openalgo-dialect.ts'
import { recordFeed } from './recorder.ts'
import { isMade, readRecording, writeRecording, type Recording } from './recording.ts'
import { replay } from './replay.ts'
import { twelveDataDialect, twelveDataTestKey } from './twelve-data-dialect.ts'
import { yahooDialect } from './yahoo-dialect.ts'

interface Outside {
  readonly restUrl: string
  readonly socketUrl: string
  readonly clock: FeedClock
  readonly log: FeedLog
}
type Keys = Readonly<Record<'key' | 'token', string>>

/** Adapters as they are recorded and played again: with keys, and with the word that stands for them. */
const adapters: Readonly<Partial<Record<SourceName, (needs: Outside, keys: Keys) => Feed>>> = {
  binance: (needs) => binanceFeed(needs),
  kraken: (needs) => krakenFeed(needs),
  coinbase: (needs) => coinbaseFeed(needs),
  'twelve-data': (needs, { key }) => twelveDataFeed({ ...needs, apiKey: key }),
  yahoo: (needs) => yahooFeed(needs),
  kite: (needs, { key, token }) => kiteFeed({ ...needs, apiKey: key, accessToken: token }),
  openalgo: (needs, { key }) => openalgoFeed({ ...needs, apiKey: key }),
}
const noKeys: Keys = { key: 'KEY', token: 'KEY' }
const keysOfKite: Keys = { key: kiteKeys.apiKey, token: kiteKeys.accessToken }
const log: FeedLog = () => undefined
const liveMs = 150_000

function make(source: SourceName, needs: Outside, keys: Keys): Feed {
  const adapter = adapters[source]
  if (adapter === undefined) throw new Error(`${source} is not recorded`)
  return adapter(needs, keys)
}

const playAgain = (recording: Recording) => replay(recording, (urls, clock) => make(recording.head.source, { ...urls, clock, log }, noKeys))

async function record(dialect: Dialect, keys: Keys, disturb: (world: FeedWorld) => void = () => undefined): Promise<Recording> {
  const { source } = dialect
  const world = await feedWorld({ dialect, make: (needs) => make(source, needs, keys), staleAfterMs: 60_000 })
  const { exchange, clock, symbol } = world
  disturb(world)
  const { restUrl, socketUrl } = exchange
  const parts = { source, symbol, restUrl, socketUrl, clock, liveMs, secrets: [keys.key, keys.token] }
  const recording = recordFeed({ ...parts, make: (urls) => make(source, { ...urls, clock, log }, keys) })
  // History waits for its turn where the provider allows few calls.
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
  test('is not written with a key in it', () => {
    const head = { kind: 'recording', source: 'kite', symbol: 'NSE:X', startMs: 0 } as const
    const told = { kind: 'sent', atMs: 0, line: 1, text: 'token hunter2' } as const
    expect(() => writeRecording({ head, entries: [told] }, ['hunter2'])).toThrow('nothing is written')
    expect(() => readRecording('{"kind":"answer"}\n')).toThrow('no recording')
  })

  test.for(subjects)(
    'of $dialect.source holds no key, and played again it gives the same history and the same prices',
    async ({ dialect, keys }) => {
      const recording = await record(dialect, keys)
      const made = recording.entries.filter(isMade)
      expect(made.filter(({ kind }) => kind === 'failure')).toEqual([])
      expect(made.find((entry) => entry.kind === 'history' && entry.step === '1m' && entry.candles.length > 10)).toBeDefined()
      expect(made.filter(({ kind }) => kind === 'minute' || kind === 'trade').length).toBeGreaterThan(3)
      const text = writeRecording(recording, keys === noKeys ? [] : Object.values(keys))
      expect(await playAgain(readRecording(text))).toEqual({ made, unasked: [] })
    },
  )

  test('of an account does not tell of its orders', async () => {
    const order = '{"type":"order","data":{"account_id":"AB1234"}}'
    const recording = await record(kiteDialect, keysOfKite, ({ exchange }) => {
      exchange.faults.frame = (frame) => [frame, order]
    })
    expect(recording.entries.filter(({ kind }) => kind === 'frame').length).toBeGreaterThan(3)
    expect(JSON.stringify(recording)).not.toContain('AB1234')
  })

  test('of a refusal says so, and so does the adapter when it is played again', async () => {
    const recording = await record(binanceDialect, noKeys, ({ exchange }) => {
      exchange.faults.refuseDialWith = 451
      exchange.faults.http = () => ({ status: 403, body: '{"msg":"no"}' })
    })
    const made = recording.entries.filter(isMade)
    expect(made).toContainEqual({ kind: 'failure', step: '1m', reason: 'refused' })
    expect(made.at(-1)).toEqual({ kind: 'state', state: 'refused' })
    expect(await playAgain(recording)).toEqual({ made, unasked: [] })
  })
})

describe('playing again shows', () => {
  test('what a provider says otherwise, and what an adapter does not ask any more', async () => {
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

test.for(files)('the recording %s gives what it gave when it was made', async (name) => {
  const recording = readRecording(readFileSync(path.join(folder, name), 'utf8'))
  expect(await playAgain(recording)).toEqual({ made: recording.entries.filter(isMade), unasked: [] })
})
