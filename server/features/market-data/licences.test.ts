// Data of an exchange or a provider is not shown without a licence reference.
import { describe, expect, it } from 'vitest'
import { sourceBindings } from './source-bindings.ts'
import { sourceNames } from './feed.ts'
import { labelOf, licenceOf, licenceOfSource, missingHolders, parseLicences, unlicensedSources, type Licences } from './licences.ts'

function licencesOf(text: string): Licences {
  const licences = parseLicences(text)
  if (typeof licences === 'string') throw new Error(licences)
  return licences
}

describe('without configuration', () => {
  it.each([
    ['public', 'open', 0],
    ['nse', 'refused', 0],
    ['bse', 'refused', 0],
    ['cme', 'refused', 0],
    ['kite', 'refused', 0],
    ['openalgo', 'refused', 0],
    ['twelve-data', 'refused', 0],
    ['yahoo', 'refused', 0],
  ] as const)('%s is %s', (holder, mode, delayMinutes) => {
    expect(licenceOf(new Map(), holder)).toEqual({ mode, reference: null, delayMinutes })
  })

  it('only public data is shown, and every exchange source names its exchange', () => {
    const shown = sourceBindings.filter((binding) => licenceOfSource(new Map(), binding).mode !== 'refused')
    expect(new Set(shown.map(({ source }) => source))).toEqual(new Set(['binance', 'coinbase', 'kraken']))
    const indian = ['nifty', 'banknifty', 'finnifty', 'tata-motors', 'reliance', 'tata-steel', 'havells', 'bajaj-finance']
    for (const { series, holders } of sourceBindings) {
      expect(holders.includes('nse')).toBe(indian.includes(series))
      expect(holders.includes('bse')).toBe(series === 'sensex')
      expect(holders.includes('cme')).toBe(series === 'es' || series === 'gold-future')
    }
  })
})

describe('the text of the operator', () => {
  it.each([
    'nse',
    'nse=licensed',
    'nse=licensed:',
    'nse=live:REF',
    'public=licensed:REF',
    'lse=licensed:REF',
    'nse=delayed:REF',
    'nse=open',
    'nse=edu-30d',
    'nse=edu-30d:',
    'nse=edu-30d: ',
  ])('%j is rejected with a sentence', (text) => {
    expect(parseLicences(text)).toBeTypeOf('string')
  })

  it.each([
    ['nse=licensed:NSE/DATA/4711', 'nse', { mode: 'licensed', reference: 'NSE/DATA/4711', delayMinutes: 0 }],
    ['bse=delayed-15:BSE 12', 'bse', { mode: 'delayed', reference: 'BSE 12', delayMinutes: 15 }],
    ['cme=edu-30d:CME 7', 'cme', { mode: 'edu-30d', reference: 'CME 7', delayMinutes: 43_200 }],
    ['nse=licensed:A', 'bse', { mode: 'refused', reference: null, delayMinutes: 0 }],
    ['kite=licensed:K', 'kite', { mode: 'licensed', reference: 'K', delayMinutes: 0 }],
  ] as const)('%j gives %s its licence', (text, holder, licence) => {
    expect(licenceOf(licencesOf(text), holder)).toEqual(licence)
  })

  it('of an old configuration reports what has changed', () => {
    expect(parseLicences('nse=edu-30d')).toMatch(/^needs a reference behind nse=edu-30d: .*agreement.*8 May 2026/)
  })
})

describe('a source that needs several licences', () => {
  it.each([
    ['', ['nse', 'kite'], 'refused', 0],
    ['nse=licensed:N', ['nse', 'kite'], 'refused', 0],
    ['kite=licensed:K', ['nse', 'kite'], 'refused', 0],
    ['nse=licensed:N,openalgo=licensed:O', ['nse', 'kite'], 'refused', 0],
    ['yahoo=licensed:Y', ['nse', 'yahoo'], 'refused', 0],
    ['nse=licensed:N,kite=licensed:K', ['nse', 'kite'], 'licensed', 0],
    ['nse=delayed-15:N,kite=licensed:K', ['nse', 'kite'], 'delayed', 15],
    ['nse=licensed:N,kite=delayed-5:K', ['nse', 'kite'], 'delayed', 5],
    ['nse=edu-30d:N,kite=licensed:K', ['nse', 'kite'], 'edu-30d', 43_200],
    ['nse=edu-30d:N,kite=delayed-50000:K', ['nse', 'kite'], 'edu-30d', 50_000],
    ['nse=edu-30d:N', ['nse'], 'edu-30d', 43_200],
    ['', ['public'], 'open', 0],
  ] as const)('under %j %j is %s, %i minutes late', (text, holders, mode, delayMinutes) => {
    expect(licenceOfSource(licencesOf(text), { holders })).toMatchObject({ mode, delayMinutes })
  })

  it('lists the missing ones', () => {
    expect(missingHolders(licencesOf('nse=licensed:N'), { holders: ['nse', 'kite'] })).toEqual(['kite'])
    expect(unlicensedSources(licencesOf('nse=licensed:N'), new Set(['binance', 'kite', 'csv']))).toEqual(
      new Map([
        ['kite', ['kite', 'bse']],
        ['csv', ['bse', 'cme']],
      ]),
    )
    const all = 'nse=licensed:1,bse=licensed:2,cme=licensed:3,kite=licensed:4,openalgo=licensed:5,twelve-data=licensed:6,yahoo=licensed:7'
    expect(unlicensedSources(licencesOf(all), new Set(sourceNames)).size).toBe(0)
  })
})

it('reports the new place of broker connections', () => {
  expect(parseLicences('nse=licensed:A, bse=own-broker:owner@tezi.example')).toContain('account page')
})

describe('the label', () => {
  const open = { mode: 'open', reference: null, delayMinutes: 0 } as const
  const education = { mode: 'edu-30d', reference: 'E', delayMinutes: 43_200 } as const
  const delayed = { mode: 'delayed', reference: 'x', delayMinutes: 15 } as const
  it.each([
    ['binance', 'minutes', open, 'live'],
    ['kite', 'trades', education, 'education'],
    ['kite', 'trades', delayed, 'delayed'],
    ['csv', 'none', open, 'end-of-day'],
    ['demo', 'minutes', open, 'demo'],
  ] as const)('of %s (%s) under %o is %s', (source, live, licence, mode) => {
    expect(labelOf({ source, proxy: null, delayMinutes: 0 }, live, licence)).toMatchObject({ mode, delayMinutes: licence.delayMinutes })
  })

  it.each([
    [open, 10],
    [{ mode: 'delayed', reference: 'x', delayMinutes: 5 } as const, 10],
    [delayed, 15],
  ])('of a delayed source is never live: %o', (licence, delayMinutes) => {
    const label = labelOf({ source: 'yahoo', proxy: null, delayMinutes: 10 }, 'poll', licence)
    expect(label).toMatchObject({ mode: 'delayed', delayMinutes })
  })
})
