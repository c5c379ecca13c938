// Workspace: parsing, merging, search, layouts and candle alarm.
import { describe, expect, it, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { Drawing } from '#shared/drawings/drawing.ts'
import { bucketOf } from '#shared/candles/bucketer.ts'
import { instruments } from '#shared/instruments/instruments.ts'
import { timeframes } from '#shared/candles/timeframe.ts'
import { nextCheckMs, nextAlarm } from './next-alarm.ts'
import { searchInstruments } from '#shared/instruments/search-instruments.ts'
import { findLayoutNameIssue, findNewLayoutIssue, newLayout, screenOf } from './new-layout.ts'
import { mergeDrawings, mergeWorkspaces } from './merge-workspaces.ts'
import { oneChart } from './screen.ts'
import { jsonBytesOf } from './json-bytes.ts'
import { noWorkspace, readWorkspace, type Layout, type Workspace } from './workspace.ts'

const nifty = { slug: 'nifty', timeframe: '5' } as const
const sensex = { slug: 'sensex', timeframe: '15' } as const

describe('stored workspace', () => {
  it.each([[undefined], [null], ['x'], [[]], [{ v: 9 }]])('%j is parsed as an empty workspace', (stored) => {
    expect(readWorkspace(stored)).toEqual(noWorkspace)
  })

  it('keeps valid fields beside invalid ones', () => {
    expect(readWorkspace({ favourites: ['nifty'], alarm: { isOn: 'yes' }, last: 7, unknown: 1 })).toEqual({
      ...noWorkspace,
      favourites: ['nifty'],
    })
  })
})

test.each([
  ['', 2],
  ['é', 4],
  ['₹', 5],
  ['🂡', 6],
  [{ a: [1, null] }, 14],
])('%j is %d bytes as JSON', (value, bytes) => {
  expect(jsonBytesOf(value)).toBe(bytes)
})

describe('two devices', () => {
  const base: Workspace = { ...noWorkspace, favourites: ['nifty', 'sensex'], last: nifty }

  it('that changed different fields keep both changes', () => {
    const mine = { ...base, last: sensex }
    const theirs: Workspace = { ...base, engine: 'tezi', alarm: { ...base.alarm, isOn: true } }
    expect(mergeWorkspaces({ base, mine, theirs })).toEqual({ ...theirs, last: sensex })
  })

  it('that changed the same field keep the one saved later', () => {
    expect(mergeWorkspaces({ base, mine: { ...base, engine: 'tezi' }, theirs: { ...base, engine: 'tradingview' } }).engine).toBe('tezi')
  })

  it('that starred and unstarred keep both', () => {
    const merged = mergeWorkspaces({
      base,
      mine: { ...base, favourites: ['nifty', 'eur-usd'] },
      theirs: { ...base, favourites: ['btc-usd', 'nifty', 'sensex'] },
    })
    expect(merged.favourites).toEqual(['btc-usd', 'nifty', 'eur-usd'])
  })

  it('lose no layout and no study that only one of them changed', () => {
    const [one, two] = [newLayout('1', 'One', oneChart(nifty)), newLayout('2', 'Two', oneChart(sensex))]
    const begun = { ...base, layouts: [one] }
    const mine = { ...begun, layouts: [{ ...one, name: 'First' }], studyInputs: { zigZag: { depth: 3 } } }
    const theirs = { ...begun, layouts: [one, two], studyInputs: { rsi: { length: 9 } } }
    expect(mergeWorkspaces({ base: begun, mine, theirs })).toMatchObject({
      layouts: [{ id: '1', name: 'First' }, two],
      studyInputs: { zigZag: { depth: 3 }, rsi: { length: 9 } },
    })
  })

  it('that switched, hid and reset studies keep all changes', () => {
    const begun: Workspace = {
      ...base,
      studies: ['sma', 'rsi'],
      hiddenStudies: ['sma'],
      studyInputs: { sma: { length: 9 }, rsi: { length: 7 }, zigZag: { legs: 4 } },
    }
    const mine: Workspace = { ...begun, studies: ['rsi', 'macd'], studyInputs: { rsi: { length: 7 }, zigZag: { legs: 6 } } }
    const theirs: Workspace = {
      ...begun,
      studies: ['sma', 'rsi', 'ema'],
      hiddenStudies: [],
      studyInputs: { ...begun.studyInputs, ema: { length: 50 } },
    }
    expect(mergeWorkspaces({ base: begun, mine, theirs })).toMatchObject({ studies: ['rsi', 'ema', 'macd'], hiddenStudies: [] })
    expect(mergeWorkspaces({ base: begun, mine, theirs }).studyInputs).toEqual({
      rsi: { length: 7 },
      zigZag: { legs: 6 },
      ema: { length: 50 },
    })
    expect(mergeWorkspaces({ base: begun, mine: begun, theirs: { ...begun, studyInputs: {} } }).studyInputs).toEqual({})
  })

  const line = (id: string, price = 1): Drawing => ({
    id,
    kind: 'horizontal',
    anchors: [{ timeMs: 0, price }],
    colour: 'accent',
    width: 1,
    text: '',
  })

  it.each([
    ['added on both', [], ['a'], ['b'], ['b', 'a']],
    ['removed here', ['a', 'b'], ['b'], ['a', 'b'], ['b']],
    ['removed there', ['a', 'b'], ['a', 'b'], ['b'], ['b']],
    ['removed on both', ['a'], [], [], []],
  ])('merge drawings that were %s', (_, base, mine, theirs, merged) => {
    const lists = { base: base.map((id) => line(id)), mine: mine.map((id) => line(id)), theirs: theirs.map((id) => line(id)) }
    expect(mergeDrawings(lists).map(({ id }) => id)).toEqual(merged)
  })

  it('keep a drawing that one has moved and the other removed, and the local move if both did', () => {
    const [before, here, there] = [[line('a')], [line('a', 2)], [line('a', 3)]]
    expect(mergeDrawings({ base: before, mine: here, theirs: [] })).toEqual(here)
    expect(mergeDrawings({ base: before, mine: [], theirs: there })).toEqual([])
    expect(mergeDrawings({ base: before, mine: here, theirs: there })).toEqual(here)
  })

  it('give theirs without local changes, and the local one without theirs', async () => {
    const list = fc
      .uniqueArray(fc.tuple(fc.nat(8), fc.nat(3)), { selector: ([id]) => id })
      .map((pairs) => pairs.map(([id, price]) => line(`${id}`, price)))
    await assertProperty(
      fc.property(list, list, (base, other) => {
        expect(mergeDrawings({ base, mine: base, theirs: other })).toEqual(other)
        expect(new Set(mergeDrawings({ base, mine: other, theirs: base }))).toEqual(new Set(other))
      }),
    )
  })
})

describe('search', () => {
  it.each([
    ['zzz', []],
    ['eur zzz', []],
    ['nifty', ['nifty', 'nifty50', 'banknifty', 'finnifty']],
    ['EURUSD', ['eur-usd']],
    ['eur/usd', ['eur-usd']],
    ['usd eur', ['eur-usd']],
    ['bank', ['banknifty', 'nifty50'].slice(0, 1)],
    ['paytm', []],
    ['tata', ['tata-motors', 'tata-steel']],
    ['steel', ['tata-steel']],
    ['s&p', ['sensex', 'es']],
    ['futures', ['es', 'gold-future']],
    ['gold', ['gold-future', 'xau-usd']],
    ['stocks', ['tata-motors', 'reliance', 'tata-steel', 'havells', 'bajaj-finance']],
  ])('for %j finds %j', (text, slugs) => {
    expect(searchInstruments(text).map(({ slug }) => slug)).toEqual(slugs)
  })

  it('without text finds everything, favourites first and in their order', () => {
    const all = searchInstruments('  ', ['nifty', 'btc-usd'])
    expect(all).toHaveLength(instruments.length)
    expect(all.slice(0, 3).map(({ slug }) => slug)).toEqual(['nifty', 'btc-usd', 'eur-usd'])
  })

  it('finds every instrument first by its own label', () => {
    for (const { label } of instruments) expect(searchInstruments(label)[0]?.label).toBe(label)
  })
})

describe('layout', () => {
  const layout: Layout = newLayout('1', ' Morning ', oneChart(nifty))

  it('needs a unique name, and is one of at most twenty', () => {
    expect(findLayoutNameIssue([layout], '  ')).toBe('workspace.layoutNameMissing')
    expect(findLayoutNameIssue([layout], 'MORNING')).toBe('workspace.layoutNameTaken')
    expect(findLayoutNameIssue([layout], 'morning', '1')).toBeUndefined()
    const twenty = Array.from({ length: 20 }, (_, at) => ({ ...layout, id: `${at}`, name: `${at}` }))
    expect(findNewLayoutIssue(twenty, 'New')).toBe('workspace.layoutsFull')
    expect(findNewLayoutIssue(twenty.slice(1), 'New')).toBeUndefined()
  })

  it('is a named copy of a screen', () => {
    expect(layout).toEqual({ ...oneChart(nifty), id: '1', name: 'Morning' })
    expect(screenOf(layout)).toEqual(oneChart(nifty))
  })
})

describe('candle alarm', () => {
  const at = (text: string) => Date.parse(`2026-11-${text}+05:30`)
  const candle = (timeframe: '5' | '1D' | '1') => ({ sessionClass: 'nse-index', timeframe, zone: 'Asia/Kolkata' }) as const
  const ask = (now: string, timeframe: '5' | '1D' | '1', secondsBefore: number, doneCloseMs?: number) =>
    nextAlarm(candle(timeframe), { nowMs: at(now), secondsBefore, doneCloseMs })

  it.each([
    ['20T10:01:00', '5', 10, '20T10:04:50', '20T10:05:00'],
    ['20T10:04:50', '5', 10, '20T10:04:50', '20T10:05:00'],
    ['20T10:04:51', '5', 10, '20T10:09:50', '20T10:10:00'],
    ['20T10:00:30', '1', 300, '20T10:01:00', '20T10:02:00'],
    ['20T10:00:00', '1D', 300, '20T15:30:00', '20T15:35:00'],
  ] as const)('called at %s for %s and %d s is at %s for the close at %s', (now, timeframe, seconds, alarm, close) => {
    expect(ask(now, timeframe, seconds)).toEqual({ atMs: at(alarm), closeMs: at(close) })
  })

  it('comes once per candle', () => {
    expect(ask('20T10:04:50', '5', 10, at('20T10:05:00'))).toEqual({ atMs: at('20T10:09:50'), closeMs: at('20T10:10:00') })
  })

  it('is silent while the market is closed, and is checked again at its opening', () => {
    expect(ask('20T15:34:55', '5', 10)).toBeNull()
    expect(nextCheckMs(candle('5'), at('20T15:34:55'))).toBe(at('20T15:35:00'))
    expect(ask('21T12:00:00', '5', 10)).toBeNull()
    expect(nextCheckMs(candle('5'), at('21T12:00:00'))).toBe(at('23T09:15:00'))
  })

  it('is never in the past, and always the lead before the end of a candle that is longer', async () => {
    const moment = fc.integer({ min: at('16T00:00:00'), max: at('28T00:00:00') })
    await assertProperty(
      fc.property(moment, fc.constantFrom(...timeframes), fc.integer({ min: 1, max: 50 }), (nowMs, timeframe, secondsBefore) => {
        const alarm = nextAlarm(
          { sessionClass: 'nse-equity', timeframe, zone: 'Asia/Kolkata' },
          { nowMs, secondsBefore, doneCloseMs: undefined },
        )
        if (alarm === null) return
        expect(alarm.atMs).toBeGreaterThanOrEqual(nowMs)
        expect(bucketOf('nse-equity', timeframe, alarm.closeMs - 1)?.endMs).toBe(alarm.closeMs)
        expect(alarm.closeMs - alarm.atMs).toBeLessThanOrEqual(secondsBefore * 1000)
      }),
    )
  })
})
