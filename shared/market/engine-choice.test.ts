// Which engine shows what: by the widget's abilities, the person's wish and what the widget did.
import { describe, expect, it } from 'vitest'
import { chooseEngine, type Engine, type EnginePreference } from './engine-choice.ts'
import { findInstrument } from './instruments.ts'
import { effectiveTimeframe, findTimeframeForce, type Timeframe } from './timeframe.ts'

type Row = readonly [slug: string, preference: EnginePreference, timeframe: Timeframe, hasGivenUp: boolean, engine: Engine]

function instrumentOf(slug: string) {
  const instrument = findInstrument(slug)
  if (instrument === undefined) throw new Error(`no instrument ${slug}`)
  return instrument
}

describe('the engine of a chart', () => {
  it.each<Row>([
    ['eur-usd', 'automatic', '1', false, 'widget'],
    ['eur-usd', 'automatic', '1', true, 'native'],
    ['eur-usd', 'tradingview', '1', true, 'widget'],
    ['eur-usd', 'tezi', '1', false, 'native'],
    ['nifty', 'automatic', '5', false, 'native'],
    ['nifty', 'tradingview', '5', false, 'native'],
    ['es', 'tradingview', '1D', false, 'native'],
    ['sensex', 'automatic', '5', false, 'native'],
    ['sensex', 'automatic', '1D', false, 'widget'],
    ['sensex', 'automatic', '1D', true, 'native'],
    ['sensex', 'tradingview', '5', false, 'widget'],
    ['sensex', 'tezi', '1D', false, 'native'],
    ['reliance', 'automatic', '5', false, 'widget'],
    ['reliance', 'automatic', '1W', false, 'widget'],
    ['reliance', 'tezi', '5', false, 'native'],
  ])('of %s, wished %s, at %s, given up %s: %s', (slug, preference, timeframe, hasGivenUp, engine) => {
    expect(chooseEngine(instrumentOf(slug), { preference, timeframe, hasGivenUp })).toBe(engine)
  })

  it.each<readonly [string, Engine, Timeframe, Timeframe]>([
    ['sensex', 'widget', '5', '1D'],
    ['sensex', 'native', '5', '5'],
    ['reliance', 'widget', '5', '1D'],
    ['reliance', 'native', '5', '1D'],
    ['reliance', 'native', '1W', '1W'],
    ['nifty', 'native', '5', '5'],
  ])('%s by the %s at %s shows %s', (slug, engine, chosen, shown) => {
    expect(effectiveTimeframe(instrumentOf(slug), chosen, engine)).toBe(shown)
    expect(findTimeframeForce(instrumentOf(slug), chosen, engine) === undefined).toBe(chosen === shown)
  })
})
