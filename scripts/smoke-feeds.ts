// Asks every source that is set up whether it still speaks as we know it, and fails where one does not. Needs internet; no part of the tests.
// Run: node scripts/smoke-feeds.ts            (all sources of MARKET_SOURCES that have their keys, or --source kraken)
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config.ts'
import { bindings } from '#server/features/market/bindings.ts'
import { realClock } from '#server/features/market/feed-clock.ts'
import { smokeFeed } from '#server/features/market/feeds/testing/smoke-feed.ts'
import { chooseFeeds } from '#server/open-market.ts'
import { factsOf } from '#shared/market/instrument-facts.ts'

const { values } = parseArgs({ options: { source: { type: 'string' } } })
const { market } = readProcessConfig()
const feeds = chooseFeeds(market, realClock, (line, details) => console.error(line, details ?? ''))
const today = new Date().toISOString().slice(0, 10)
// The clock of the feeds keeps no process alive by itself.
const alive = setInterval(() => undefined, 60_000)
let asked = 0
let failed = 0
try {
  for (const [source, feed] of feeds) {
    if (source === 'csv' || (values.source !== undefined && values.source !== source)) continue
    const binding = bindings.find((known) => known.source === source)
    const symbol = binding?.symbols.find(({ from = today, to = today }) => from <= today && today <= to)?.symbol
    if (binding === undefined || symbol === undefined) continue
    const { sessionClass } = factsOf(binding.series)
    const faults = await smokeFeed({ feed, symbol, sessionClass, clock: realClock, withinMs: 90_000 })
    asked += 1
    failed += faults.length > 0 ? 1 : 0
    console.log(`${source} ${symbol}: ${faults.length === 0 ? 'well' : faults.join('; ')}`)
  }
} finally {
  await Promise.all([...feeds.values()].map((feed) => feed.close()))
  clearInterval(alive)
}
if (asked === 0) console.error('No source is set up that could be asked.')
process.exitCode = failed > 0 || asked === 0 ? 1 : 0
