// Plan form: initial values and validation, in the order of the specification.
import type { Plan } from '#shared/plans/plan.ts'
import { expect, test } from 'vitest'
import { areAllTaken, findPlanFormIssue, serverPlanIssue, startPlanForm } from './plan-form.ts'

const plan = (type: Plan['type']): Plan => ({
  _id: type,
  month: 3,
  price: 999.5,
  qrcodeUrl: 'data:image/png;base64,AA',
  type,
  payee: null,
  network: null,
  address: null,
  version: 1,
  updatedAt: '2026-11-21T00:00:00.000Z',
})
const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const noTarget = { network: '', address: '' } as const
const filled = { type: 'regular', month: '3', price: '999', qrcodeUrl: 'data:image/png;base64,AA', ...noTarget } as const

test('a new plan starts with the free type, an edit with the existing values', () => {
  expect(startPlanForm([], undefined).type).toBe('regular')
  expect(startPlanForm([plan('regular')], undefined)).toEqual({ type: 'crypto', month: '', price: '', qrcodeUrl: '', ...noTarget })
  expect(startPlanForm([plan('crypto')], plan('crypto'))).toEqual({
    type: 'crypto',
    month: '3',
    price: '999.5',
    qrcodeUrl: filled.qrcodeUrl,
    ...noTarget,
  })
})

test.each([
  [{ month: '' }, 'month', 'All fields are required'],
  [{ price: '' }, 'price', 'All fields are required'],
  [{ qrcodeUrl: '' }, 'qrcodeUrl', 'All fields are required'],
  [{ price: '0' }, 'price', 'Price must be greater than 0'],
  [{ price: '-5', month: '0' }, 'price', 'Price must be greater than 0'],
  [{ price: '1e1' }, 'price', 'Price must be greater than 0'],
  [{ price: '9.999' }, 'price', 'Price must have at most two decimals and be at most 10,000,000'],
  [{ price: '0.000000001' }, 'price', 'Price must have at most two decimals and be at most 10,000,000'],
  [{ month: '0' }, 'month', 'Duration must be greater than 0 months'],
  [{ month: '1e1' }, 'month', 'Duration must be greater than 0 months'],
  [{ month: '121' }, 'month', 'Duration must be a whole number from 1 to 120 months'],
  [{ type: 'crypto', address: tron }, 'network', 'Choose the network of this address'],
  [{ type: 'crypto', network: 'trc20' }, 'address', 'Enter the address on this network'],
  [{ type: 'crypto', network: 'bep20', address: tron }, 'address', 'This is not an address of the chosen network'],
] as const)('%j gives %j [spec 9.3]', (change, field, message) => {
  expect(findPlanFormIssue({ ...filled, ...change }, [], undefined)).toEqual({ field, message })
})

test('a valid form has no error', () => {
  expect(findPlanFormIssue({ ...filled, type: 'crypto', network: 'trc20', address: ` ${tron} ` }, [], undefined)).toBeUndefined()
  // Left from before the type was changed.
  expect(findPlanFormIssue({ ...filled, network: 'trc20' }, [], undefined)).toBeUndefined()
  expect(findPlanFormIssue(filled, [], undefined)).toBeUndefined()
})

test('a server error is assigned to its field, and one without a field to none', () => {
  expect(serverPlanIssue({ price: 'Too much' })).toEqual({ field: 'price', message: 'Too much' })
  expect(serverPlanIssue({ month: 'Too long', type: 'Taken' })).toEqual({ field: 'type', message: 'Taken' })
  expect(serverPlanIssue({ reference: 'Used' })).toBeUndefined()
  expect(serverPlanIssue({})).toBeUndefined()
})

test('only one plan of each type, but an edit does not count as a second one', () => {
  const plans = [plan('regular')]
  expect(findPlanFormIssue(filled, plans, undefined)).toEqual({
    field: 'type',
    message: 'A regular payment plan already exists. You can only have one regular plan at a time.',
  })
  expect(findPlanFormIssue(filled, plans, plan('regular'))).toBeUndefined()
  expect(areAllTaken(plans)).toBe(false)
  expect(areAllTaken([...plans, plan('crypto')])).toBe(true)
})
