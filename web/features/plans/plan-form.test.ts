// The plan form: where it starts and what it refuses, in the spec's order.
import type { Plan } from '#shared/plans/plan.ts'
import { expect, test } from 'vitest'
import { areAllTaken, findFormFault, startPlanForm } from './plan-form.ts'

const plan = (type: Plan['type']): Plan => ({
  _id: type,
  month: 3,
  price: 999.5,
  qrcodeUrl: 'data:image/png;base64,AA',
  type,
  payee: null,
  version: 1,
  updatedAt: '2026-11-21T00:00:00.000Z',
})
const filled = { type: 'regular', month: '3', price: '999', qrcodeUrl: 'data:image/png;base64,AA' } as const

test('a new plan takes the free type, an edit what is there', () => {
  expect(startPlanForm([], undefined).type).toBe('regular')
  expect(startPlanForm([plan('regular')], undefined)).toEqual({ type: 'crypto', month: '', price: '', qrcodeUrl: '' })
  expect(startPlanForm([plan('crypto')], plan('crypto'))).toEqual({
    type: 'crypto',
    month: '3',
    price: '999.5',
    qrcodeUrl: filled.qrcodeUrl,
  })
})

test.each([
  [{ month: '' }, 'All fields are required'],
  [{ price: '' }, 'All fields are required'],
  [{ qrcodeUrl: '' }, 'All fields are required'],
  [{ price: '0' }, 'Price must be greater than 0'],
  [{ price: '-5', month: '0' }, 'Price must be greater than 0'],
  [{ month: '0' }, 'Duration must be greater than 0 months'],
  [{ month: '121' }, 'Duration must be a whole number from 1 to 120 months'],
  [{}, undefined],
])('%j gives %j', (change, fault) => {
  expect(findFormFault({ ...filled, ...change }, [], undefined)).toBe(fault)
})

test('one plan of each type, but an edit is not a second one', () => {
  const plans = [plan('regular')]
  expect(findFormFault(filled, plans, undefined)).toBe(
    'A regular payment plan already exists. You can only have one regular plan at a time.',
  )
  expect(findFormFault(filled, plans, plan('regular'))).toBeUndefined()
  expect(areAllTaken(plans)).toBe(false)
  expect(areAllTaken([...plans, plan('crypto')])).toBe(true)
})
