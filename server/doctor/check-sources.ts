// Checks the price sources: settings complete, licences given, host reachable; their HTTP dates are clocks to compare with.
import { readdir } from 'node:fs/promises'
import { sourceNames, type SourceName } from '#server/features/market-data/feed.ts'
import { unlicensedSources } from '#server/features/market-data/licences.ts'
import { missingSettings, type MarketConfig } from '#server/config/market-config.ts'
import { failed, ok, warning, type CheckResult } from './check.ts'
import { readDate, type CheckReport, type ClockReading } from './clock-reading.ts'

/** Default REST address of each source that has one. */
export type SourceHosts = Readonly<Partial<Record<SourceName, string>>>

export interface SourcesOptions {
  readonly market: Pick<
    MarketConfig,
    'sources' | 'urls' | 'licences' | 'hasDemo' | 'csvDir' | 'kiteKey' | 'kiteToken' | 'openAlgoKey' | 'twelveDataKey'
  >
  readonly hosts: SourceHosts
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number
}

const page = 'docs/operating/market-data.md'

/** One result for each enabled source that is reachable or has settings, and one line for those that nothing is set for. */
export async function checkSources({ market, hosts, now }: SourcesOptions, signal: AbortSignal): Promise<CheckReport> {
  const missing = missingSettings(market)
  const usable = sourceNames.filter((source) => market.sources.has(source) && !missing.has(source))
  const unlicensed = unlicensedSources(market.licences, new Set(usable))
  const readings: ClockReading[] = []
  const results = await Promise.all(
    usable.map(async (source): Promise<CheckResult> => {
      const name = `source ${source}`
      const result = source === 'csv' ? await checkFolder(name, market.csvDir ?? '') : await checkHost(source, name)
      const holders = unlicensed.get(source)
      if (result.status !== 'ok' || holders === undefined) return result
      const action = `Set MARKET_LICENCES, or remove ${source} from MARKET_SOURCES: ${page}#licences`
      return warning(name, `${result.message}; prices without a licence of ${holders.join(', ')} are not shown`, action)
    }),
  )

  async function checkHost(source: SourceName, name: string): Promise<CheckResult> {
    const url = market.urls[source]?.restUrl ?? hosts[source]
    if (url === undefined) return ok(name, 'has no address')
    const { host } = new URL(url)
    const sentMs = now()
    try {
      const response = await fetch(url, { signal, redirect: 'manual' })
      await response.body?.cancel()
      const reading = readDate(host, response.headers.get('date'), response.headers.get('age'), sentMs, now())
      if (reading !== undefined) readings.push(reading)
      // Any status will do: without a path most of them answer 404.
      return ok(name, `${host} answers`)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : signal.aborted ? 'no answer in time' : String(cause)
      return failed(name, `${host} is not reachable: ${reason}`, `Open outgoing https to ${host}, or remove ${source} from MARKET_SOURCES.`)
    }
  }

  const incomplete = [...missing].map(([source, names]) => `${source} (${names.join(', ')})`)
  if (incomplete.length > 0) results.push(ok('sources', `not used, because settings are missing: ${incomplete.join('; ')}`))
  if (usable.length === 0 && !market.hasDemo)
    results.push(failed('sources', 'no source of prices is set up', `Set MARKET_SOURCES and the keys of a source: ${page}`))
  return { results, readings }
}

async function checkFolder(name: string, folder: string): Promise<CheckResult> {
  try {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.csv'))
    if (files.length > 0) return ok(name, `${files.length} files in ${folder}`)
    return warning(name, `no file such as nifty.1m.csv in ${folder}`, `Add files, or unset CSV_DIR: ${page}#candles`)
  } catch (error) {
    return failed(name, `${folder}: ${(error as NodeJS.ErrnoException).code}`, 'Correct CSV_DIR, or let the user of Tezi read the folder.')
  }
}
