// Smoke test of the provider APIs of all configured sources; fails if one has changed. Needs internet; not part of the tests.
// Run: node scripts/smoke-feeds.ts            (all sources of MARKET_SOURCES that have their keys, or --source kraken)
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config/config.ts'
import { sourceBindings } from '#server/features/market-data/source-bindings.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import { smokeFeed } from '#server/features/market-data/feeds/testing/smoke-feed.ts'
import { chooseFeeds } from '#server/open-market.ts'
import { goThroughProxy } from '#server/outbound/proxy.ts'
import { keepAlive } from './operator/keep-alive.ts'
import { factsOf } from '#shared/instruments/instrument-facts.ts'

const { values } = parseArgs({ options: { source: { type: 'string' } } })
const { market, proxy } = readProcessConfig()
goThroughProxy(proxy)
const clock = realClock()
const feeds = chooseFeeds(market, clock, (line, details) => console.error(line, details ?? ''))
const today = new Date().toISOString().slice(0, 10)
let asked = 0
let failed = 0
await keepAlive(async () => {
  try {
    for (const [source, feed] of feeds) {
      if (source === 'csv' || (values.source !== undefined && values.source !== source)) continue
      const binding = sourceBindings.find((known) => known.source === source)
      const symbol = binding?.symbols.find(({ from = today, to = today }) => from <= today && today <= to)?.symbol
      if (binding === undefined || symbol === undefined) continue
      const { sessionClass } = factsOf(binding.series)
      const issues = await smokeFeed({ feed, symbol, sessionClass, clock, withinMs: 90_000 })
      asked += 1
      failed += issues.length > 0 ? 1 : 0
      console.log(`${source} ${symbol}: ${issues.length === 0 ? 'well' : issues.join('; ')}`)
    }
  } finally {
    await Promise.all([...feeds.values()].map((feed) => feed.close()))
  }
})
if (asked === 0) console.error('No source is set up that could be asked.')
process.exitCode = failed > 0 || asked === 0 ? 1 : 0
