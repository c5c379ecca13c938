// Invariants of every study: valid plots, no values without data, and the same values tick by tick.
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#shared/base/seeded-random.ts'
import { assertProperty, fc } from '#testing/property.ts'
import { chartFlagNames } from '#shared/chart/chart-flags.ts'
import { toggles } from '#shared/chart/toggles.ts'
import { createBarColumns, type BarColumns } from './lib/bar-columns.ts'
import { studies } from './studies.ts'
import { provenanceText } from '#shared/indicators/text/en.ts'
import { studyIds } from './lib/study-ids.ts'
import { type Study, type StudyContext, type StudyState } from './lib/study.ts'
import { contextOf, expectSameShown } from './testing/contexts.ts'
import { intrabarsPerBar, mergeBars, randomContext } from './testing/random-bars.ts'

const all = Object.values(studies)
const priceColumns = ['open', 'high', 'low', 'close'] as const

function values(state: StudyState, length: number): number[] {
  return Object.values(state.columns).flatMap((column) => [...column.subarray(0, length)])
}

describe('study records', () => {
  test('are the six toggles in their order, under their names, then the others', () => {
    expect(Object.keys(studies)).toEqual([...studyIds])
    expect(all.map((study) => study.id)).toEqual([...studyIds])
    expect(studyIds.slice(0, 6)).toEqual([...chartFlagNames])
    expect(all.slice(0, 6).map((study) => study.name)).toEqual(toggles.map((toggle) => toggle.name))
  })

  test.each(all)('$id only draws its own columns, and its texts and defaults exist', (study) => {
    const state = study.create(undefined, contextOf([]))
    for (const plot of study.plots) {
      const named = [['column', 'upper', 'lower', 'high', 'low', 'close', 'direction', 'alpha', 'provenance'] as const]
        .flat()
        .flatMap((key) => (key in plot ? [(plot as unknown as Record<string, string>)[key]] : []))
      expect(Object.keys(state.columns)).toEqual(expect.arrayContaining(named))
      expect(plot.kind === 'levels').toBe(state.levels !== null)
      expect(plot.kind === 'points').toBe(state.points !== null)
    }
    expect(study.explanation).toMatch(/\.$/)
    for (const provenance of study.provenances) expect(provenanceText[provenance]).toMatch(/\.$/)
    expect(study.provenances).toContain(state.provenance)
  })
})

describe('no values without data', () => {
  test.each(all)('$id has no values without bars, and with one bar none that need more', (study) => {
    const empty = contextOf([])
    const state = study.create(undefined, empty)
    for (const call of [state.full, state.append, state.replaceLast]) {
      call()
      expect([state.levels?.count ?? 0, state.points?.count ?? 0]).toEqual([0, 0])
    }
    const one = contextOf([[100, 101, 99, 100.5, 10]])
    const single = study.create(undefined, one)
    single.full()
    const shown = values(single, 1).filter((value) => !Number.isNaN(value))
    const needsOnlyOne = study.id === 'volumeDelta' || study.id === 'pricePercentageShadedCandel'
    expect(shown.length > 0).toBe(needsOnlyOne)
    expect([single.levels?.count ?? 0, single.points?.count ?? 0]).toEqual([0, 0])
  })

  test.each([studies.volumeDelta, studies.vwap])('$id draws nothing without volume and gives the reason', (study) => {
    const context = { ...randomContext({ count: 300, seed: 3, hasTaker: true }), hasVolume: false }
    const state = study.create(undefined, context)
    state.full()
    expect(values(state, 300).filter((value) => !Number.isNaN(value))).toEqual([])
    expect(state.provenance).toBe('no-volume')
  })

  test.each([
    ['blockPressure', 'no-volume-equal-weight'],
    ['renkoSRvolume', 'no-volume-true-range'],
  ] as const)('%s states what replaces volume', (id, provenance) => {
    const state = studies[id].create(undefined, { ...randomContext({ count: 300, seed: 3 }), hasVolume: false })
    state.full()
    expect(state.provenance).toBe(provenance)
  })

  test.each([studies.vwap, studies.pivotpoint])('$id draws nothing without sessions and gives the reason', (study) => {
    const { periods: _, ...context } = randomContext({ count: 300, seed: 3 })
    const state = study.create(undefined, context)
    state.full()
    expect([values(state, 300).filter((value) => !Number.isNaN(value)), state.levels?.count ?? 0]).toEqual([[], 0])
    expect(state.provenance).toBe('no-periods')
  })

  test.each(all)('$id recovers from bars without prices and without volume, and never shows an infinite value', (study) => {
    // Without intrabars, which have no gaps.
    const { intrabars: _, ...context } = randomContext({ count: 2000, seed: 5, gapEvery: 400 })
    const state = study.create(undefined, context)
    state.full()
    expect(values(state, 2000)).not.toContain(Number.POSITIVE_INFINITY)
    expect(values(state, 2000)).not.toContain(Number.NEGATIVE_INFINITY)
    const hole = 399
    for (const column of Object.values(state.columns)) expect(column[hole]).toBeNaN()
    for (const [name, column] of Object.entries(state.columns)) expect([name, column[1990]]).not.toContain(Number.NaN)
    if (state.levels !== null) expect(state.levels.count).toBeGreaterThan(0)
    if (state.points !== null) expect([...state.points.price.subarray(0, state.points.count)]).not.toContain(Number.NaN)
  })
})

/** Plays a context bar by bar, each in several ticks; `seen` is called after each tick with the bars so far. */
function play(whole: ReturnType<typeof randomContext>, seed: number, studyOf: (context: StudyContext) => (isNew: boolean) => void): void {
  const random = seededRandom(seed)
  const live: BarColumns = { ...createBarColumns(16), takerBuyVolume: whole.bars.takerBuyVolume }
  const final = whole.intrabars.bars
  const parts: BarColumns = { ...final, close: final.close.slice(), volume: final.volume.slice(), length: 0 }
  const seen = studyOf({ ...whole, bars: live, intrabars: { bars: parts, firstIndex: whole.intrabars.firstIndex } })
  for (let tick = 0; tick < final.length * 2; tick += 1) {
    const at = tick >> 1
    const index = Math.floor(at / intrabarsPerBar)
    if (index === live.close.length) grow(live, index * 2)
    live.length = index + 1
    parts.length = at + 1
    // A tick during the intrabar, then its final state.
    const share = tick % 2 === 0 ? random() : 1
    const [low, high] = [final.low[at] as number, final.high[at] as number]
    parts.close[at] = share === 1 ? (final.close[at] as number) : low + share * (high - low)
    parts.volume[at] = Math.floor((final.volume[at] as number) * share)
    mergeBars(parts, { from: index * intrabarsPerBar, to: parts.length }, { bars: live, index })
    if (tick % (2 * intrabarsPerBar) === 2 * intrabarsPerBar - 1) copyBar(whole.bars, live, index)
    seen(tick % (2 * intrabarsPerBar) === 0)
  }
}

/** Like the chart's store: replaces each column by a longer array. */
function grow(bars: BarColumns, capacity: number): void {
  for (const name of [...priceColumns, 'timeMs', 'volume'] as const) {
    const longer = new Float64Array(capacity)
    longer.set(bars[name])
    bars[name] = longer
  }
}

function copyBar(from: BarColumns, to: BarColumns, index: number): void {
  for (const name of [...priceColumns, 'volume', 'takerBuyVolume'] as const) to[name][index] = from[name][index] as number
}

describe('tick by tick', () => {
  const settings: Partial<Record<Study['id'], object>> = {
    zigZag: { deviationPercent: 0.1, legs: 4 },
    pricePercentageShadedCandel: { window: 40 },
    pivotpoint: { type: 'woodie', pivotsBack: 2 },
  }

  // 9,000 full computations take long on a busy machine.
  test.each(all)('$id equals a full computation after every tick of a random day', async (study) => {
    const property = (seed: number, hasTaker: boolean, hasVolume: boolean, gapEvery: number) => {
      const whole = { ...randomContext({ count: 375, seed, hasTaker, gapEvery }), hasVolume }
      let ticks = 0
      play(whole, seed, (context) => {
        const state = study.create(settings[study.id], context)
        return (isNew) => {
          if (isNew) state.append()
          else state.replaceLast()
          ticks += 1
          const fresh = study.create(settings[study.id], context)
          fresh.full()
          expectSameShown(state, fresh, context.bars.length)
        }
      })
      expect(ticks).toBe(375 * intrabarsPerBar * 2)
    }
    await assertProperty(fc.property(fc.nat(), fc.boolean(), fc.boolean(), fc.constantFrom(0, 50), property), { numRuns: 4 })
  })
})
