// Payees parsed from QR codes.
import { expect, test } from 'vitest'
import { readPayee } from './read-payee.ts'

test.each([
  ['upi://pay?pa=tezi@okaxis&pn=Tezi%20Charts&am=999.00&cu=INR', { address: 'tezi@okaxis', name: 'Tezi Charts', amount: 999 }],
  ['upi://pay?pa=tezi@okaxis', { address: 'tezi@okaxis', name: undefined, amount: undefined }],
  ['upi://pay?am=1', { address: 'upi://pay?am=1', name: undefined, amount: 1 }],
  ['tron:TXYZ1234?amount=12.5', { address: 'TXYZ1234', name: undefined, amount: 12.5 }],
  [
    'ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7@1/transfer?address=0xabc',
    { address: 'ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7@1/transfer?address=0xabc', name: undefined, amount: undefined },
  ],
  ['TXYZ1234', { address: 'TXYZ1234', name: undefined, amount: undefined }],
  ['https://example.com/pay?amount=5', { address: 'https://example.com/pay?amount=5', name: undefined, amount: undefined }],
  ['upi://pay?pa=a@b&am=lots', { address: 'a@b', name: undefined, amount: undefined }],
])('%s pays %j', (code, payee) => {
  expect(readPayee(code)).toEqual(payee)
})
