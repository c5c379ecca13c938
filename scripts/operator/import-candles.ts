// `npx tezi import candles FILE`: stores a file of candles as source `csv`.
// Series and step come from the name (nifty.1m.csv) or the options. Format: server/features/market-data/feeds/csv-feed.ts.
import path from 'node:path'
import { open } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { operatorActor, writeAudit } from '#server/features/audit/service.ts'
import { historySteps } from '#server/features/market-data/feed.ts'
import { readCsvCandles } from '#server/features/market-data/feeds/csv-feed.ts'
import { databaseStore } from '#server/features/market-data/store/database-store.ts'
import { noteReplacedCandles } from '#server/features/market-data/store/replaced-candles.ts'
import { storeFile } from '#server/features/market-data/store/store-file.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { seriesKeys } from '#shared/instruments/instrument-facts.ts'
import { oneArgument, withDatabase } from './run.ts'

/** Maximum number of listed gaps. */
const listedMax = 20

export async function importCandles(args: readonly string[]): Promise<void> {
  const options = { series: { type: 'string' }, step: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const file = oneArgument(positionals, 'FILE')
  const [seriesOfName, stepOfName] = path.basename(file).split('.')
  const series = values.series ?? seriesOfName ?? ''
  const step = historySteps.find((known) => known === (values.step ?? stepOfName))
  if (!seriesKeys.includes(series)) throw new Error(`"${series}" is no series; known are ${seriesKeys.join(', ')}`)
  if (step === undefined) throw new Error(`the step must be one of ${historySteps.join(', ')}`)
  const handle = await open(file)
  const name = path.basename(file)
  const { candles, rejected, rejectedCount } = await readCsvCandles(handle.readLines(), { name, step, nowMs: Date.now() })
  await withDatabase(async ({ db }) => {
    // Before the rows: an interrupted import has changed data too.
    const details = { file: name, step, candles: candles.length, rejected: rejectedCount }
    const target = { id: null, name: series }
    await writeAudit(db, { at: new Date(), actor: operatorActor, action: 'candles-imported', target, address: '', details })
    const gaps = await storeFile({ store: databaseStore({ db, now: Date.now }), series, step, candles })
    await noteReplacedCandles(db, { series, source: 'csv' })
    console.log(`${candles.length} candles of ${series} (${step}) are stored.`)
    if (gaps.length > 0) console.log(gapsText(gaps))
    if (rejectedCount > 0) {
      const lines = rejected.slice(0, listedMax).map(({ line, reason }) => `  line ${line}: ${reason}`)
      console.log([`Lines that are left out: ${rejectedCount}.`, ...lines].join('\n'))
      process.exitCode = 1
    }
  })
}

function gapsText(gaps: readonly TimeSpan[]): string {
  const iso = (ms: number): string => new Date(ms).toISOString()
  const listed = gaps.slice(0, listedMax).map(({ fromMs, toMs }) => `  ${iso(fromMs)} to ${iso(toMs)}`)
  return [`Gaps inside trading hours: ${gaps.length}. Candles around them are not shown.`, ...listed].join('\n')
}
