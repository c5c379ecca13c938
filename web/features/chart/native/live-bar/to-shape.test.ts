// Shape of the forming bar for the series item and options that lightweight-charts would get.
import { describe, expect, it } from 'vitest'
import { rangeOfItem, spriteOf, unseenItem, unseenOptions } from './to-shape.ts'

/** A scale on which one pixel is one unit of price. */
const yOf = (price: number) => 100 - price
const candleOptions = {
  upColor: 'up',
  downColor: 'down',
  borderUpColor: 'upB',
  borderDownColor: 'downB',
  wickUpColor: 'upW',
  wickDownColor: 'downW',
}
const ohlc = { time: 1, open: 10, high: 14, low: 8, close: 12 }
const ys = { openY: 90, highY: 86, lowY: 92, closeY: 88 }

describe('candle', () => {
  it('has the colours of its direction, overridden by its own', () => {
    const falling = { ...ohlc, close: 9 }
    const colours = { color: 'body', borderColor: 'border', wickColor: 'wick' }
    const of = (item: typeof ohlc) => spriteOf('Candlestick', candleOptions, { item, before: undefined, yOf })
    expect(of(ohlc)).toEqual({ kind: 'candle', ...ys, body: 'up', border: 'upB', wick: 'upW' })
    expect(of(falling)).toEqual({ kind: 'candle', ...ys, closeY: 91, body: 'down', border: 'downB', wick: 'downW' })
    expect(of({ ...ohlc, ...colours })).toEqual({ kind: 'candle', ...ys, body: 'body', border: 'border', wick: 'wick' })
    // Like the library, open equal to close counts as up.
    expect(of({ ...ohlc, close: 10 })).toMatchObject({ body: 'up' })
  })

  it('has one colour in bar style', () => {
    expect(spriteOf('Bar', candleOptions, { item: ohlc, before: undefined, yOf })).toEqual({ kind: 'bar', ...ys, colour: 'up' })
  })
})

describe('line', () => {
  const line = (item: object, before?: object) =>
    spriteOf('Line', { color: 'line', lineWidth: 2 }, { item: { time: 2, ...item }, before: before && { time: 1, ...before }, yOf })

  it('starts at the previous point, in its colour', () => {
    expect(line({ value: 5 }, { value: 3, color: 'leg' })).toMatchObject({ kind: 'line', y: 95, beforeY: 97, colour: 'leg', widthPx: 2 })
    expect(line({ value: 5 }, { value: 3 })).toMatchObject({ colour: 'line', fill: undefined })
  })

  it('starts at its own point without a previous one, and is empty without a value', () => {
    expect(line({ value: 5 })).toMatchObject({ y: 95, beforeY: Number.NaN })
    expect(line({ value: 5 }, {})).toMatchObject({ beforeY: Number.NaN })
    expect(line({}, { value: 3 })).toBeUndefined()
    expect(spriteOf('Candlestick', {}, { item: { time: 2 }, before: undefined, yOf })).toBeUndefined()
  })

  it('has an area below it when area colours are set', () => {
    const options = { lineColor: 'line', topColor: 'top', bottomColor: 'foot' }
    const items = { item: { time: 2, value: 5 }, before: undefined, yOf }
    expect(spriteOf('Area', options, items)).toMatchObject({ colour: 'line', widthPx: 1, fill: ['top', 'foot'] })
  })
})

describe('column', () => {
  it('starts at its base', () => {
    const items = { item: { time: 2, value: -5, color: 'own' }, before: undefined, yOf }
    expect(spriteOf('Histogram', { color: 'column', base: 1 }, items)).toEqual({ kind: 'column', y: 105, baseY: 99, colour: 'own' })
  })
})

describe('invisible item for the library', () => {
  it.for([
    ['Candlestick', { ...ohlc, color: 'body', borderColor: 'border', wickColor: 'wick' }, ohlc, [8, 14]],
    ['Line', { time: 2, value: 5, color: 'leg' }, { time: 2, value: 5 }, [5, 5]],
    ['Histogram', { time: 2 }, { time: 2 }, undefined],
  ] as const)('for a %s keeps its range and cannot be seen', ([type, item, unseen, range]) => {
    expect(unseenItem(item)).toEqual(unseen)
    expect(rangeOfItem(item)).toEqual(range)
    expect(new Set(Object.values(unseenOptions(type, {})).filter((colour) => colour !== ''))).toEqual(new Set(['rgba(0, 0, 0, 0)']))
  })

  it('keeps the crosshair marker of a line', () => {
    expect(unseenOptions('Area', { lineColor: 'line' })).toMatchObject({ crosshairMarkerBackgroundColor: 'line' })
    expect(unseenOptions('Line', { color: 'line' })).toMatchObject({ crosshairMarkerBackgroundColor: 'line' })
  })
})
