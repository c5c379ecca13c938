// Nothing that belongs to an exchange is shown fresh without a reference.
import { describe, expect, it } from 'vitest'
import { labelOf, licenceOf, parseLicences } from './licences.ts'

describe('without configuration', () => {
  it.each([
    ['public', 'open', 0],
    ['nse', 'edu-30d', 43_200],
    ['bse', 'edu-30d', 43_200],
    ['cme', 'edu-30d', 43_200],
    ['twelve-data', 'refused', 0],
    ['yahoo', 'refused', 0],
  ] as const)('%s is %s', (holder, mode, delayMinutes) => {
    expect(licenceOf(new Map(), holder)).toEqual({ mode, reference: null, delayMinutes })
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
  ])('%j is refused with a sentence', (text) => {
    expect(parseLicences(text)).toBeTypeOf('string')
  })

  it.each([
    ['nse=licensed:NSE/DATA/4711', 'nse', { mode: 'licensed', reference: 'NSE/DATA/4711', delayMinutes: 0 }],
    ['bse=delayed-15:BSE 12', 'bse', { mode: 'delayed', reference: 'BSE 12', delayMinutes: 15 }],
    ['nse=licensed:A, bse=own-broker:Owner@Tezi.example', 'bse', { mode: 'own-broker', reference: 'owner@tezi.example', delayMinutes: 0 }],
    ['cme=edu-30d', 'cme', { mode: 'edu-30d', reference: null, delayMinutes: 43_200 }],
    ['nse=licensed:A', 'bse', { mode: 'edu-30d', reference: null, delayMinutes: 43_200 }],
  ] as const)('%j gives %s its licence', (text, holder, licence) => {
    const licences = parseLicences(text)
    if (typeof licences === 'string') throw new Error(licences)
    expect(licenceOf(licences, holder)).toEqual(licence)
  })
})

describe('the label', () => {
  const open = { mode: 'open', reference: null, delayMinutes: 0 } as const
  const education = { mode: 'edu-30d', reference: null, delayMinutes: 43_200 } as const
  const delayed = { mode: 'delayed', reference: 'x', delayMinutes: 15 } as const
  it.each([
    ['binance', 'minutes', open, 'live'],
    ['kite', 'trades', education, 'education'],
    ['kite', 'trades', delayed, 'delayed'],
    ['csv', 'none', open, 'end-of-day'],
    ['demo', 'minutes', open, 'demo'],
  ] as const)('of %s (%s) under %o is %s', (source, live, licence, mode) => {
    expect(labelOf({ source, proxy: null }, live, licence)).toMatchObject({ mode, delayMinutes: licence.delayMinutes })
  })
})
