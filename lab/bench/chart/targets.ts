// Targets of the Tezi chart relative to the others of the same run, and their report.
import { snapshotMax } from '#shared/market-data/live/contract.ts'
import type { Measured } from './measure.ts'
import type { PeerName } from './page.ts'

/** Name of a cell: chart, number of bars, and environment. */
export const cellName = (peer: PeerName | 'opened', bars: number, place = 'desktop') => `${peer} ${bars} ${place}`

interface Target {
  readonly name: string
  readonly measure: keyof Measured
  /** Figure of the Tezi chart. */
  readonly ours: string
  /** The chart to compare with; absent for absolute targets. */
  readonly theirs?: string
  readonly most: number
}

const [large, huge, small] = [100_000, 1_000_000, 10_000]

interface Row {
  readonly measure: keyof Measured
  readonly bars: number
  readonly place?: 'desktop' | 'nine' | 'phone' | 'drawn' | 'studied'
  readonly us?: 'tezi' | 'opened'
}

/** The targets of one measure, one per peer. */
function beside(name: string, { measure, bars, place, us = 'tezi' }: Row, most: Partial<Record<PeerName, number>>) {
  return Object.entries(most).map(([peer, ratio]): Target => {
    const theirs = cellName(peer as PeerName, bars, place)
    return { name: `${name} / ${peer}`, measure, ours: cellName(us, bars, place), theirs, most: ratio }
  })
}

const [paint, tick, pan] = [{ measure: 'paintWall' }, { measure: 'tick' }, { measure: 'pan' }] as const
const openedNine = { bars: snapshotMax, place: 'nine' } as const
const onPhone = { bars: small, place: 'phone' } as const
const targets: readonly Target[] = [
  ...beside('first paint 100k, wall', { ...paint, bars: large }, { lwc: 0.35, kline: 1.3 }),
  ...beside('first paint 1M, wall', { ...paint, bars: huge }, { lwc: 0.06, kline: 0.6 }),
  ...beside('first paint as opened, 100k, wall', { ...paint, bars: large, us: 'opened' }, { lwc: 0.35, kline: 1.3 }),
  ...beside('first paint as opened, 1M, wall', { ...paint, bars: huge, us: 'opened' }, { lwc: 0.06, kline: 0.6 }),
  ...beside('tick 100k', { ...tick, bars: large }, { lwc: 0.08, kline: 0.8 }),
  ...beside('tick 100k, 3 studies', { ...tick, bars: large, place: 'studied' }, { lwc: 0.05, kline: 0.12 }),
  ...beside('pan, 150 visible', { ...pan, bars: large }, { kline: 0.65, floor: 1.8 }),
  ...beside('pan, all 100k visible', { measure: 'panAll', bars: large }, { lwc: 0.05, kline: 0.03, floor: 1.6 }),
  ...beside('500 drawings, pan', { ...pan, bars: small, place: 'drawn' }, { kline: 0.7 }),
  ...beside('heap 100k', { measure: 'heapMb', bars: large }, { lwc: 0.1, kline: 0.5 }),
  ...beside('9 charts, a tick each', { ...tick, bars: small, place: 'nine' }, { lwc: 0.25, kline: 0.8 }),
  ...beside('9 charts of 1,500, first paint, wall', { ...paint, ...openedNine }, { lwc: 1 }),
  ...beside('9 charts of 1,500, a tick each that extends the scale', { measure: 'scaleTick', ...openedNine }, { lwc: 1 }),
  ...beside('9 charts of 1,500, a new bar each', { measure: 'newBar', ...openedNine }, { lwc: 1 }),
  ...beside('phone pan', { ...pan, ...onPhone }, { kline: 0.75 }),
  ...beside('phone tick', { ...tick, ...onPhone }, { kline: 0.95 }),
  ...beside('phone first paint, wall', { ...paint, ...onPhone }, { kline: 1.3 }),
  ...beside('phone first paint as opened, wall', { ...paint, ...onPhone, us: 'opened' }, { kline: 1.3 }),
  { name: 'worst frame as a window shifts, CPU ms', measure: 'worst', ours: cellName('tezi', large), most: 16 },
]

export type Results = ReadonlyMap<string, readonly Measured[]>

/** The median of all pages, per cell. */
export function printCells(results: Results): void {
  const rows = [...results].map(([name, pages]) => {
    const columns = Object.keys(pages[0] ?? {}) as (keyof Measured)[]
    return [name, Object.fromEntries(columns.map((measure) => [measure, textOf(medianOf(pages, measure))]))] as const
  })
  console.table(Object.fromEntries(rows))
}

/** Targets whose cells were all measured. */
export function printTargets(results: Results): void {
  const rows = targets.flatMap(({ name, measure, ours, theirs, most }) => {
    const one = results.get(ours)
    const other = theirs === undefined ? undefined : results.get(theirs)
    if (one === undefined || (theirs !== undefined && other === undefined)) return []
    const middle = medianOf(one, measure) / (other === undefined ? 1 : medianOf(other, measure))
    const least = leastOf(one, measure) / (other === undefined ? 1 : leastOf(other, measure))
    return [[name, { 'of medians': textOf(middle), 'of the least': textOf(least), target: `≤ ${most}`, held: middle <= most }] as const]
  })
  console.table(Object.fromEntries(rows))
}

function medianOf(pages: readonly Measured[], measure: keyof Measured): number {
  const sorted = pages.map((page) => page[measure]).toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function leastOf(pages: readonly Measured[], measure: keyof Measured): number {
  return Math.min(...pages.map((page) => page[measure]))
}

const textOf = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0))
