// `npx tezi verify-candles`: checks all stored candles, repairs what the sources still have, and reports what remains.
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config/config.ts'
import { operatorActor, writeAudit } from '#server/features/audit/service.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import { planSeries } from '#server/features/market-data/gateway/series-plan.ts'
import { databaseStore } from '#server/features/market-data/store/database-store.ts'
import { writeVerifyReport } from '#server/features/market-data/verify/repository.ts'
import { verifyCandles } from '#server/features/market-data/verify/verify-candles.ts'
import { chooseFeeds } from '#server/open-market.ts'
import { goThroughProxy } from '#server/outbound/proxy.ts'
import { findingKinds, leftOf, type VerifyReport } from '#shared/market-data/verify-report.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { log, withDatabase } from './run.ts'

export async function verifyStoredCandles(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { 'no-repair': { type: 'boolean', default: false } } })
  const { market, proxy } = readProcessConfig()
  goThroughProxy(proxy)
  const clock = realClock()
  const feeds = values['no-repair']
    ? new Map()
    : chooseFeeds(market, clock, (line, details) => log(`${line} ${JSON.stringify(details ?? {})}`))
  const plans = { feeds, licences: market.licences, demo: undefined, clock }
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  try {
    await withDatabase(async ({ db }) => {
      const report = await verifyCandles({
        db,
        store: databaseStore({ db, now: () => clock.now() }),
        planOf: values['no-repair'] ? undefined : (series) => planSeries(plans, series, day),
        clock,
        log,
        signal: new AbortController().signal,
      })
      await writeVerifyReport(db, report)
      const details = { hasRepaired: report.hasRepaired, counts: report.counts }
      const target = { id: null, name: 'all series' }
      await writeAudit(db, { at: new Date(), actor: operatorActor, action: 'candles-verified', target, address: '', details })
      console.log(textOf(report))
      if (leftOf(report) > 0) process.exitCode = 1
    })
  } finally {
    await Promise.all([...feeds.values()].map((feed) => feed.close()))
  }
}

function textOf(report: VerifyReport): string {
  const lines = [`${report.series} series, ${report.candles} candles`]
  for (const kind of findingKinds) {
    const { found, left } = report.counts[kind]
    lines.push(`${adminMarketText.findingKinds[kind]}: ${found} found, ${Math.max(0, found - left)} repaired, ${left} left`)
  }
  for (const { series, source, step, kind, fromMs, toMs } of report.left)
    lines.push(
      `  ${series} ${source} ${step}  ${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}  ${adminMarketText.findingKinds[kind]}`,
    )
  const unnamed = leftOf(report) - report.left.length
  if (unnamed > 0) lines.push(`  ${adminMarketText.findingsMore(String(unnamed))}`)
  return lines.join('\n')
}
