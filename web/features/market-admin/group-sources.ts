// Sources of all series, each once: what is the same for many series is said once.
import type { MarketSeries, MarketSource } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'

/** The first one of its series is the state of a source, and the order of the table. */
export const sourceStates = ['failing', 'in-use', 'ready', 'untested', 'generated', 'not-used'] as const

/** `untested`: set up, but not asked yet by this process. `generated`: switched on, but no source of market data. */
export type SourceState = (typeof sourceStates)[number]

/** Series with the same issues and licences. */
interface SourcePart {
  readonly details: string
  readonly labels: readonly string[]
}

export interface SourceGroup {
  readonly source: string
  readonly title: string
  readonly state: SourceState
  /** Why it does not work; null if it does, or is not used. */
  readonly failure: string | null
  readonly parts: readonly SourcePart[]
}

export function sourceStateOf(source: MarketSource, shown: string | undefined): SourceState {
  if (source.issues.length > 0) return 'not-used'
  if (source.failure !== null) return 'failing'
  if (shown === source.title) return 'in-use'
  if (source.source === 'demo') return 'generated'
  return source.isAnswering ? 'ready' : 'untested'
}

/** Those that need attention first. */
export function groupSources(series: readonly MarketSeries[]): readonly SourceGroup[] {
  const rows = series.flatMap((row) => row.sources.map((source) => ({ row, source })))
  const groups = [...Map.groupBy(rows, ({ source }) => source.source)].map(([source, group]) => {
    const states = new Set(group.map((one) => sourceStateOf(one.source, one.row.condition?.label?.source)))
    const parts = Map.groupBy(group, (one) => reasonsOf(one.source))
    const state = sourceStates.find((known) => states.has(known)) ?? 'not-used'
    return {
      source,
      title: group[0]?.source.title ?? source,
      state,
      failure: state === 'not-used' ? null : (group.find((one) => one.source.failure !== null)?.source.failure ?? null),
      parts: [...parts].map(([details, members]) => ({ details, labels: members.flatMap(({ row }) => row.labels) })),
    }
  })
  return groups.toSorted((one, other) => sourceStates.indexOf(one.state) - sourceStates.indexOf(other.state))
}

/** Without the symbol, which differs for each series. */
function reasonsOf({ source, licences, issues, missing }: MarketSource): string {
  const permissions = source === 'demo' ? [text.generated] : licences.filter(({ mode }) => mode !== 'refused').map(text.licence)
  return [...issues.map((issue) => text.issue[issue](missing, licences)), ...permissions].join(' · ')
}
