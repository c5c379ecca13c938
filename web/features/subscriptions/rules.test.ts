// Rules of the purchase form: errors, prices, labels, request body, and payees of QR codes of all kinds.
import { expect, test } from 'vitest'
import { makePlan } from '#web/testing/factories.ts'
import { arrangePlans, bareAmount, claimBody, findPurchaseIssue, priceLabel, referenceTexts, payeeFor } from './rules.ts'

const regular = makePlan('regular', { month: 3, price: 2999 })
const crypto = makePlan('crypto', { month: 1 })

test.each([
  [undefined, '', 'type', 'Please select a payment option.'],
  [undefined, '123456789012', 'type', 'Please select a payment option.'],
  ['crypto', ' ', 'utrNo', 'Please fill in Order ID field.'],
  ['regular', '', 'utrNo', 'Please fill in UTR No. field.'],
] as const)('plan %s with reference %j has its error at %s: %s', (type, reference, field, message) => {
  expect(findPurchaseIssue(type, reference)).toEqual({ field, message })
})

test.each([
  ['regular', '6325 1234 5678', true],
  ['regular', '123', false],
  ['crypto', '123456789012345678', true],
  ['crypto', '123456789012', false],
] as const)('a %s plan accepts %j: %s', (type, reference, isFine) => {
  expect(findPurchaseIssue(type, reference) === undefined).toBe(isFine)
})

test.each([
  ['regular', 100_000, '₹1,00,000', '100000'],
  ['regular', 499.5, '₹499.50', '499.50'],
  ['crypto', 100_000, '$100,000', '100000'],
  ['crypto', 9.99, '$9.99', '9.99'],
] as const)('a %s plan of %d is shown as %s and copied as %s', (type, price, label, bare) => {
  expect(priceLabel({ type, price })).toBe(label)
  expect(bareAmount(price)).toBe(bare)
})

test('the request body has utrNo, Months, price and type', () => {
  expect(claimBody(regular, ' 632512345678 ')).toEqual({ utrNo: '632512345678', Months: 3, price: 2999, type: 'regular' })
})

test.each([
  ['regular', 'UTR No.', 'UTR is a 12-digit number'],
  ['crypto', 'Order ID', 'The crypto order ID is 18 digits'],
  [undefined, 'UTR No. or Order ID', 'UTR is a 12-digit number. The crypto order ID is 18 digits.'],
] as const)('the reference of %s is called %s', (type, label, hint) => {
  expect(referenceTexts(type)).toEqual({ label, hint })
})

test('regular comes first, and a single plan is preselected', () => {
  expect(arrangePlans([crypto, regular])).toEqual({ cards: [regular, crypto], only: undefined })
  expect(arrangePlans([crypto])).toEqual({ cards: [crypto], only: 'crypto' })
  expect(arrangePlans([])).toEqual({ cards: [], only: undefined })
})

const wallet = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

test.each([
  ['upi://pay?pa=tezi@okaxis&pn=Tezi%20Charts', 'tezi@okaxis', 'Tezi Charts', 'upi://pay?pa=tezi@okaxis&pn=Tezi%20Charts&am=499.00&cu=INR'],
  ['UPI://PAY?pa=tezi@okaxis&am=1', 'tezi@okaxis', undefined, 'upi://pay?pa=tezi@okaxis&am=499.00&cu=INR'],
  ['upi://pay?pa=tezi@okaxis&sign=abc', 'tezi@okaxis', undefined, 'upi://pay?pa=tezi@okaxis&sign=abc'],
  ['upi://pay?pn=Nobody', 'upi://pay?pn=Nobody', 'Nobody', undefined],
  [wallet, wallet, undefined, undefined],
  [`tron:${wallet}?amount=9`, wallet, undefined, undefined],
  [
    'ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7@1/transfer?address=0xabc',
    'ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7@1/transfer?address=0xabc',
    undefined,
    undefined,
  ],
  ['https://pay.example/x', 'https://pay.example/x', undefined, undefined],
])('%s pays %s', (text, address, name, upiLink) => {
  expect(payeeFor(text, '499.00')).toEqual({ address, name, upiLink })
})

test.each([null, '', '  '])('%j has no payee', (text) => {
  expect(payeeFor(text, '499.00')).toBeUndefined()
})
