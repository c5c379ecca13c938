// Site settings in the page, and rejected values.
import { defaultSite } from '#shared/base/site.ts'
import { expect, test } from 'vitest'
import { readSite } from './site.ts'

test.each([
  undefined,
  null,
  '',
  '{}',
  '[]',
  'null',
  '{"brandName":""}',
  '{"brandName":7,"tradingViewMount":"evil","hasMail":"yes"}',
  '<b>',
])('%j gives the defaults', (text) => {
  expect(readSite(text)).toEqual(defaultSite)
})

test('claims and prices come from the server', () => {
  const claims = [{ figure: '27', what: 'charts' }]
  expect(readSite(JSON.stringify({ claims, prices: { regular: '₹999 for 1 month' } }))).toEqual({
    ...defaultSite,
    claims,
    prices: { regular: '₹999 for 1 month', crypto: '' },
  })
})

test('known values replace the defaults one by one', () => {
  expect(readSite('{"brandName":"Bazaar","tradingViewMount":"script","hasMail":true}')).toEqual({
    ...defaultSite,
    brandName: 'Bazaar',
    tradingViewMount: 'script',
    hasMail: true,
  })
})
