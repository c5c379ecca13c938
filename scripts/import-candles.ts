// Imports a file of candles into the store of the configured database, as candles of the source `csv`.
// Run: node scripts/import-candles.ts nifty.1m.csv      (series and step from the name, or --series nifty --step 1m)
// With the embedded database stop Tezi first, as only one process may use its folder. Format: server/features/market/feeds/csv-candles.ts.
import path from 'node:path'
import { open } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { historySteps } from '#server/features/market/feed.ts'
import { readCsvCandles } from '#server/features/market/feeds/csv-candles.ts'
import { withoutVolume } from '#server/features/market/follow/volumeless-feed.ts'
import { databaseStore } from '#server/features/market/store/database-store.ts'
import { factsOf, seriesKeys } from '#shared/market/instrument-facts.ts'

const { values, positionals } = parseArgs({ options: { series: { type: 'string' }, step: { type: 'string' } }, allowPositionals: true })
const [file] = positionals

try {
  if (file === undefined || positionals.length > 1) throw new Error('one file is needed: node scripts/import-candles.ts nifty.1m.csv')
  const [seriesOfName, stepOfName] = path.basename(file).split('.')
  const series = values.series ?? seriesOfName ?? ''
  const step = historySteps.find((known) => known === (values.step ?? stepOfName))
  if (!seriesKeys.includes(series)) throw new Error(`"${series}" is no series; known are ${seriesKeys.join(', ')}`)
  if (step === undefined) throw new Error(`the step must be one of ${historySteps.join(', ')}`)

  const handle = await open(file)
  const candles = await readCsvCandles(handle.readLines(), path.basename(file), step)
  const { dataDir, databaseUrl } = readConfig(process.env)
  const database = await openDatabase({
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    log: (line) => console.error(line),
  })
  try {
    await migrate(database, (line) => console.error(line))
    const store = databaseStore({ db: database.db, now: Date.now })
    await store.append({ series, source: 'csv', step }, factsOf(series).hasVolume ? candles : candles.map(withoutVolume))
    console.log(`${candles.length} candles of ${series} (${step}) are stored.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
