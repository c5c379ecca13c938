// Rules of multi-chart screens: number of charts, the active one, and linking.
import { findInstrument, freeSlug } from '#shared/instruments/instruments.ts'
import { firstShown, type CellChoices, type ChartCell, type ChartPlace, type GridSize, type Workspace } from './workspace.ts'

/** Charts of a grid, and how they are linked. */
export type Screen = NonNullable<Workspace['screen']>

type Links = Pick<Screen, 'areSymbolsLinked' | 'areTimeframesLinked' | 'areCrosshairsLinked'>

/** A screen with this chart only. */
export function oneChart({ slug, timeframe }: ChartPlace): Screen {
  return {
    grid: 1,
    areSymbolsLinked: false,
    areTimeframesLinked: false,
    areCrosshairsLinked: true,
    active: 0,
    charts: [{ slug, timeframe }],
  }
}

/** Whether the address alone describes it, so that nothing needs saving. */
export function isPlain({ charts: [first, ...others] }: Screen): boolean {
  const { engine, style, scale } = first ?? {}
  return others.length === 0 && engine === undefined && style === undefined && scale === undefined
}

/** The charts shown by the grid, with their indexes. */
export function shownCharts(screen: Screen): readonly { readonly at: number; readonly chart: ChartCell }[] {
  const from = firstShown(screen)
  return screen.charts.slice(from, from + screen.grid).map((chart, index) => ({ at: from + index, chart }))
}

/** Changes the grid size; existing charts are kept for a larger grid, new ones copy the active chart. */
export function withGrid(screen: Screen, grid: GridSize): Screen {
  const { charts, active } = screen
  const leader = charts[active]
  if (leader === undefined || grid === screen.grid) return screen
  const length = Math.max(charts.length, firstShown({ grid, active }) + grid)
  return { ...screen, grid, charts: Array.from({ length }, (_, at) => charts[at] ?? leader) }
}

/** Changes the links; all charts follow the active one at once. */
export function withLinks(screen: Screen, links: Partial<Links>): Screen {
  const next = { ...screen, ...links }
  const leader = next.charts[next.active]
  return leader === undefined ? next : withPlace(next, leader)
}

/** Changes the active chart; ignores one that does not exist. */
export function withActive(screen: Screen, active: number): Screen {
  return active === screen.active || screen.charts[active] === undefined ? screen : { ...screen, active }
}

/** Changes the active chart's place; linked charts follow. The same object if nothing changes. */
export function withPlace(screen: Screen, place: ChartPlace): Screen {
  const charts = screen.charts.map((chart, at) => moved(chart, at === screen.active ? place : followed(screen, chart, place)))
  return charts.every((chart, at) => chart === screen.charts[at]) ? screen : { ...screen, charts }
}

/** Merges settings of one chart into its existing ones. */
export function withChoices(screen: Screen, at: number, choices: CellChoices): Screen {
  return { ...screen, charts: screen.charts.map((chart, index) => (index === at ? { ...chart, ...choices } : chart)) }
}

/** Replaces instruments that no longer exist with the free one. */
export function withKnownInstruments(screen: Screen): Screen {
  const charts = screen.charts.map((chart) => (findInstrument(chart.slug) === undefined ? { ...chart, slug: freeSlug } : chart))
  return { ...screen, charts }
}

function followed({ areSymbolsLinked, areTimeframesLinked }: Screen, chart: ChartPlace, leader: ChartPlace): ChartPlace {
  return {
    slug: areSymbolsLinked ? leader.slug : chart.slug,
    timeframe: areTimeframesLinked ? leader.timeframe : chart.timeframe,
  }
}

function moved(chart: ChartCell, { slug, timeframe }: ChartPlace): ChartCell {
  return chart.slug === slug && chart.timeframe === timeframe ? chart : { ...chart, slug, timeframe }
}
