// Records a provider's responses, and our adapter's output, into a file that tests replay. Needs internet.
// Run: node scripts/record-feed.ts binance BTCUSDT 90      (source, its symbol, seconds of live prices)
// Keys come from the same variables as the server's and are not recorded. Output: feeds/testing/recordings, or --out file.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config/config.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import { binanceHosts } from '#server/features/market-data/feeds/binance-feed.ts'
import { coinbaseHosts } from '#server/features/market-data/feeds/coinbase-feed.ts'
import { kiteHosts } from '#server/features/market-data/feeds/kite-feed.ts'
import { krakenHosts } from '#server/features/market-data/feeds/kraken-feed.ts'
import { openAlgoHosts } from '#server/features/market-data/feeds/openalgo-feed.ts'
import { recordFeed } from '#server/features/market-data/feeds/testing/recorder.ts'
import { isMade, writeRecording } from '#server/features/market-data/feeds/testing/recording.ts'
import { twelveDataHosts } from '#server/features/market-data/feeds/twelve-data-feed.ts'
import { yahooUrl } from '#server/features/market-data/feeds/yahoo-feed.ts'
import { chooseFeeds } from '#server/open-market.ts'
import { goThroughProxy } from '#server/outbound/proxy.ts'

const clock = realClock()
const hosts = {
  binance: binanceHosts,
  kraken: krakenHosts,
  coinbase: coinbaseHosts,
  'twelve-data': twelveDataHosts,
  // It is polled and has no socket.
  yahoo: { restUrl: yahooUrl, socketUrl: 'ws://127.0.0.1' },
  kite: kiteHosts,
  openalgo: openAlgoHosts,
} as const

type Recorded = keyof typeof hosts

const usage = `node scripts/record-feed.ts <${Object.keys(hosts).join(' | ')}> <symbol of the source> [seconds] [--out file]`
const folder = path.resolve(import.meta.dirname, '../server/features/market-data/feeds/testing/recordings')

try {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
  const [name, symbol, seconds = '90'] = positionals
  const source = Object.keys(hosts).find((known): known is Recorded => known === name)
  const liveMs = Number(seconds) * 1000
  if (source === undefined || symbol === undefined || positionals.length > 3 || !(liveMs > 0)) throw new Error(usage)

  const { market, proxy } = readProcessConfig()
  goThroughProxy(proxy)
  const reasons: unknown[] = []
  const log = (line: string, details?: Readonly<Record<string, unknown>>) => {
    reasons.push(details?.['reason'])
    console.error(line, details ?? '')
  }
  const secrets = [market.twelveDataKey, market.kiteKey, market.kiteToken, market.openAlgoKey].filter((secret) => secret !== undefined)
  const recording = await recordFeed({
    source,
    symbol,
    ...hosts[source],
    ...Object.fromEntries(Object.entries(market.urls[source] ?? {}).filter(([, url]) => url !== undefined)),
    make(urls) {
      const feed = chooseFeeds({ ...market, sources: new Set([source]), urls: { [source]: urls } }, clock, log).get(source)
      if (feed === undefined) throw new Error(`${source} cannot be used: ${String(reasons.at(-1))}`)
      return feed
    },
    clock,
    liveMs,
    secrets,
  })
  const day = new Date(recording.head.startMs).toISOString().slice(0, 16).replace(/\D/g, '')
  const file = values.out ?? path.join(folder, `${source}-${symbol.replace(/[^\w-]+/g, '-')}-${day}.jsonl`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, writeRecording(recording, secrets))
  const counts = Object.groupBy(recording.entries.filter(isMade), ({ kind }) => kind)
  console.log(
    `${file}: ${Object.entries(counts)
      .map(([kind, entries]) => `${entries.length} x ${kind}`)
      .join(', ')}`,
  )
  const failures = counts.failure?.length ?? 0
  const prices = (counts.minute?.length ?? 0) + (counts.trade?.length ?? 0)
  if (failures > 0 || prices === 0) {
    console.error('Look into it before you keep it: something was refused, or no price came.')
    process.exitCode = 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
