// State of the price sources for operators. Generated prices never count as a working source.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import type { Hub } from './gateway/hub.ts'
import { sourceTitles } from './licences.ts'
import type { SeriesViews } from './live/series-view.ts'
import type { SourceProbes } from './source-probes.ts'
import type { SourceName } from './feed.ts'

export interface SourceFacts {
  /** The hub, if it is in this process. */
  readonly hub: Pick<Hub, 'report'> | undefined
  readonly views: Pick<SeriesViews, 'conditions'>
  readonly probes: Pick<SourceProbes, 'sources' | 'reach'>
}

interface SeriesState {
  readonly source: string | null
  readonly isStale: boolean
  readonly ageMs: number | null
}

/** Every source that is set up or has a followed series. */
export function sourceStates({ hub, views, probes: { reach, sources } }: SourceFacts): SystemStatus['sources'] {
  const series = Map.groupBy(hub === undefined ? inView(views) : followed(hub), ({ source }) => source)
  const answers = new Map([...reach()].map(([source, answer]) => [sourceTitles[source], answer]))
  const titles = new Set([...series.keys(), ...[...sources].map((source) => sourceTitles[source]), ...answers.keys()])
  return [...titles].map((title) => {
    const group = series.get(title) ?? []
    const ages = group.flatMap(({ ageMs }) => ageMs ?? [])
    const answer = title === null ? undefined : answers.get(title)
    return {
      source: title,
      isReal: title !== null && title !== sourceTitles.demo,
      series: group.length,
      stale: group.filter(({ isStale }) => isStale).length,
      ageMs: ages.length === 0 ? null : Math.min(...ages),
      failure: answer?.failure ?? null,
      isKnown: answer !== undefined || group.length > 0,
    }
  })
}

const followed = (hub: Pick<Hub, 'report'>): SeriesState[] =>
  hub.report().map(({ source, isStale, reason, ageMs = null }) => ({
    source: source === null ? null : titleOf(source),
    isStale: isStale || (source === 'demo' && reason !== null),
    ageMs,
  }))

/** The ages are known in the process of the hub only. A reason beside generated prices names what they stand in for. */
const inView = (views: Pick<SeriesViews, 'conditions'>): SeriesState[] =>
  [...views.conditions().values()].map(({ label, isStale, reason }) => ({
    source: label?.source ?? null,
    isStale: isStale || (label?.mode === 'demo' && reason !== null),
    ageMs: null,
  }))

const titleOf = (source: string): string => (source in sourceTitles ? sourceTitles[source as SourceName] : source)
