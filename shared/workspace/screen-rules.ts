// The rules of several charts on one screen: how many, which one is active, and what linked ones do together.
import { findInstrument, freeSlug } from '#shared/market/instruments.ts'
import { firstShown, type CellChoices, type ChartCell, type ChartPlace, type GridSize, type Screen } from './workspace.ts'

type Links = Pick<Screen, 'areSymbolsLinked' | 'areTimeframesLinked' | 'areCrosshairsLinked'>

/** A screen with this chart alone. */
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

/** Whether nothing of it has to be kept beside the address. */
export function isPlain({ charts: [first, ...others] }: Screen): boolean {
  const { engine, style, scale } = first ?? {}
  return others.length === 0 && engine === undefined && style === undefined && scale === undefined
}

/** The charts that the grid shows, with their numbers. */
export function shownCharts(screen: Screen): readonly { readonly at: number; readonly chart: ChartCell }[] {
  const from = firstShown(screen)
  return screen.charts.slice(from, from + screen.grid).map((chart, index) => ({ at: from + index, chart }))
}

/** With so many charts; those that are there stay for a larger grid, new ones show what the active one shows. */
export function withGrid(screen: Screen, grid: GridSize): Screen {
  const { charts, active } = screen
  const leader = charts[active]
  if (leader === undefined || grid === screen.grid) return screen
  const length = Math.max(charts.length, firstShown({ grid, active }) + grid)
  return { ...screen, grid, charts: Array.from({ length }, (_, at) => charts[at] ?? leader) }
}

/** With these links; all charts follow the active one at once. */
export function withLinks(screen: Screen, links: Partial<Links>): Screen {
  const next = { ...screen, ...links }
  const leader = next.charts[next.active]
  return leader === undefined ? next : withPlace(next, leader)
}

/** With another active chart; one that is not on the screen changes nothing. */
export function withActive(screen: Screen, active: number): Screen {
  return active === screen.active || screen.charts[active] === undefined ? screen : { ...screen, active }
}

/** With the active chart at another place; the others follow in what is linked. The same object where nothing changes. */
export function withPlace(screen: Screen, place: ChartPlace): Screen {
  const charts = screen.charts.map((chart, at) => moved(chart, at === screen.active ? place : followed(screen, chart, place)))
  return charts.every((chart, at) => chart === screen.charts[at]) ? screen : { ...screen, charts }
}

/** With choices of one chart, beside those that it has. */
export function withChoices(screen: Screen, at: number, choices: CellChoices): Screen {
  return { ...screen, charts: screen.charts.map((chart, index) => (index === at ? { ...chart, ...choices } : chart)) }
}

/** Instruments that have gone give way to the one that everybody has. */
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
