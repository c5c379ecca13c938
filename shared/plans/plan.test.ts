// Validation rules of the plan form, with the limits of each number.
import { expect, test } from 'vitest'
import { planText } from '#shared/plans/text/en.ts'
import { issueIn } from '#shared/text/texts.ts'
import { currencyOf, findPlanIssue, minorOf, monthLabel, monthsMax, monthsMin, planSchema, planTypes } from './plan.ts'

const good = { month: '3', price: '2999.50', qrcodeUrl: 'data:image/png;base64,AAAA' }

test.each([
  [{ ...good, month: '', price: '', qrcodeUrl: '' }, 'month', planText.fillAll],
  [{ ...good, month: ' ' }, 'month', planText.fillAll],
  [{ ...good, price: '', qrcodeUrl: '' }, 'price', planText.fillAll],
  [{ ...good, price: '0', qrcodeUrl: ' ' }, 'qrcodeUrl', planText.fillAll],
  [{ ...good, price: 0, month: 0 }, 'price', planText.pricePositive],
  [{ ...good, price: '-1' }, 'price', planText.pricePositive],
  [{ ...good, price: 'ten' }, 'price', planText.pricePositive],
  [{ ...good, price: Number.NaN }, 'price', planText.pricePositive],
  [{ ...good, price: '0.001' }, 'price', planText.priceStep],
  [{ ...good, price: 2999.505 }, 'price', planText.priceStep],
  [{ ...good, price: 10_000_000.01 }, 'price', planText.priceStep],
  [{ ...good, price: 10_000_001, month: 0 }, 'price', planText.priceStep],
  [{ ...good, month: 0 }, 'month', planText.monthsPositive],
  [{ ...good, month: -3 }, 'month', planText.monthsPositive],
  [{ ...good, month: 'three' }, 'month', planText.monthsPositive],
  [{ ...good, month: 0.5 }, 'month', planText.monthsRange],
  [{ ...good, month: '1.5' }, 'month', planText.monthsRange],
  [{ ...good, month: 121 }, 'month', planText.monthsRange],
])('the form %j is rejected at %s: %s', (form, field, message) => {
  expect(issueIn(planText, findPlanIssue(form))).toEqual({ field, message })
})

test.each([
  good,
  { ...good, price: 0.01 },
  { ...good, price: '10000000' },
  { ...good, price: 1.1 },
  { ...good, month: 1 },
  { ...good, month: '120' },
])('the form %j is accepted', (form) => {
  expect(issueIn(planText, findPlanIssue(form))).toBeUndefined()
})

test('months and price types have the limits shown in the form', () => {
  expect([monthsMin, monthsMax]).toEqual([1, 120])
  expect(planTypes).toEqual(['regular', 'crypto'])
  expect(currencyOf).toEqual({ regular: 'INR', crypto: 'USD' })
})

test.each([
  [2999.5, 299_950],
  [0.01, 1],
  // Binary fractions: 1.15 * 100 is 114.99999999999999.
  [1.15, 115],
  [10_000_000, 1_000_000_000],
])('%d is %d in minor units', (price, minor) => {
  expect(minorOf(price)).toBe(minor)
})

test.each([
  [1, '1 month'],
  [2, '2 months'],
  [120, '120 months'],
])('%d is formatted as %s', (months, label) => {
  expect(monthLabel(months)).toBe(label)
})

test('a plan on the wire has only its declared fields', () => {
  const plan = {
    _id: 'p1',
    month: 3,
    price: 2999.5,
    qrcodeUrl: good.qrcodeUrl,
    type: 'regular',
    payee: null,
    network: null,
    address: null,
    version: 1,
    updatedAt: '2026-11-20T00:00:00.000Z',
  }
  expect(planSchema.parse({ ...plan, changedBy: 'admin@example.in' })).toEqual(plan)
})
