// Rules of multi-chart screens: sizes, links, settings, and that a smaller grid loses nothing.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import {
  isPlain,
  oneChart,
  shownCharts,
  withActive,
  withChoices,
  withGrid,
  withKnownInstruments,
  withLinks,
  withPlace,
  type Screen,
} from './screen.ts'
import { gridSizes, screenSchema } from './workspace.ts'

const nifty = { slug: 'nifty', timeframe: '5' } as const
const sensex = { slug: 'sensex', timeframe: '15' } as const
const bitcoin = { slug: 'btc-usd', timeframe: '1' } as const

const two: Screen = { ...oneChart(nifty), grid: 2, charts: [nifty, sensex] }
const places = (screen: Screen) => shownCharts(screen).map(({ chart }) => `${chart.slug} ${chart.timeframe}`)

describe('screen', () => {
  it('ignores a chart index that it does not have', () => {
    expect(withActive(two, 2)).toBe(two)
    expect(withActive(two, -1)).toBe(two)
    expect(withChoices(two, 7, { style: 'line' })).toEqual(two)
  })

  it('replaces an instrument that no longer exists', () => {
    const gone = { ...two, charts: [nifty, { slug: 'delisted', timeframe: '15' as const, style: 'line' }] }
    expect(withKnownInstruments(gone).charts).toEqual([nifty, { slug: 'nifty', timeframe: '15', style: 'line' }])
  })

  it('new charts copy the active one', () => {
    expect(places(withGrid(oneChart(nifty), 2))).toEqual(['nifty 5', 'nifty 5'])
    expect(places(withGrid(withActive(two, 1), 4))).toEqual(['nifty 5', 'sensex 15', 'sensex 15', 'sensex 15'])
  })

  it('shows the active chart alone, and all of them again', () => {
    const four = withPlace(withActive(withGrid(two, 4), 2), bitcoin)
    const alone = withGrid(four, 1)
    expect(places(alone)).toEqual(['btc-usd 1'])
    expect(withGrid(alone, 4)).toEqual(four)
    expect(places(withGrid(alone, 2))).toEqual(['btc-usd 1', 'nifty 5'])
    expect(places(withGrid(withActive(four, 1), 2))).toEqual(['nifty 5', 'sensex 15'])
  })

  it('needs no saving only while it is one chart without its own settings', () => {
    expect(isPlain(oneChart(nifty))).toBe(true)
    expect(isPlain(withChoices(oneChart(nifty), 0, { style: 'line' }))).toBe(false)
    expect(isPlain(withGrid(two, 1))).toBe(false)
  })

  it('keeps the settings of a chart when its instrument changes', () => {
    const chosen = withChoices(withChoices(two, 0, { style: 'line' }), 0, { engine: 'tezi' })
    expect(withPlace(chosen, bitcoin).charts).toEqual([{ ...bitcoin, style: 'line', engine: 'tezi' }, sensex])
  })

  it.each([
    [false, false, ['nifty 5', 'btc-usd 1']],
    [true, false, ['btc-usd 5', 'btc-usd 1']],
    [false, true, ['nifty 1', 'btc-usd 1']],
    [true, true, ['btc-usd 1', 'btc-usd 1']],
  ])('with symbols linked %s and timeframes linked %s it follows the active chart', (areSymbolsLinked, areTimeframesLinked, expected) => {
    const linked = { ...withActive(two, 1), areSymbolsLinked, areTimeframesLinked }
    expect(places(withPlace(linked, bitcoin))).toEqual(expected)
  })

  it('follows the active chart as soon as it is linked, and keeps that when unlinked', () => {
    const linked = withLinks(withActive(two, 1), { areSymbolsLinked: true })
    expect(places(linked)).toEqual(['sensex 5', 'sensex 15'])
    expect(places(withLinks(linked, { areSymbolsLinked: false }))).toEqual(['sensex 5', 'sensex 15'])
  })

  it('is the same object if nothing changes', () => {
    expect(withPlace(two, nifty)).toBe(two)
    expect(withActive(two, 0)).toBe(two)
    expect(withGrid(two, 2)).toBe(two)
  })

  it('stays valid after any operations, and shows as many charts as its grid, including the active one', async () => {
    const place = fc.constantFrom(nifty, sensex, bitcoin)
    const step = fc.oneof(
      fc.constantFrom(...gridSizes).map((grid) => (screen: Screen) => withGrid(screen, grid)),
      fc.nat(4).map((at) => (screen: Screen) => withActive(screen, at)),
      place.map((to) => (screen: Screen) => withPlace(screen, to)),
      fc
        .record({ areSymbolsLinked: fc.boolean(), areTimeframesLinked: fc.boolean() })
        .map((links) => (screen: Screen) => withLinks(screen, links)),
    )
    await assertProperty(
      fc.property(place, fc.array(step, { maxLength: 12 }), (start, steps) => {
        const screen = steps.reduce((before, run) => run(before), oneChart(start))
        expect(screenSchema.safeParse(screen).success).toBe(true)
        expect(shownCharts(screen)).toHaveLength(screen.grid)
        expect(shownCharts(screen).map(({ at }) => at)).toContain(screen.active)
        const { charts } = screen
        if (screen.areSymbolsLinked) expect(new Set(charts.map(({ slug }) => slug)).size).toBe(1)
        if (screen.areTimeframesLinked) expect(new Set(charts.map(({ timeframe }) => timeframe)).size).toBe(1)
      }),
    )
  })
})
