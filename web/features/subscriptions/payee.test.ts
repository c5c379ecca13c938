// Payees of QR codes of all kinds.
import { expect, test } from 'vitest'
import { payeeFor } from './payee.ts'

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
