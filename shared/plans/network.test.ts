// Addresses of the networks of the crypto plan, and QR codes that pay another one.
import { expect, test } from 'vitest'
import { isAddressOf, paysAnother } from './network.ts'

const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const evm = '0x55d398326f99059fF775485246999027B3197955'

test.each([
  ['trc20', tron, true],
  ['trc20', tron.slice(1), false],
  ['trc20', tron.replace('9', '0'), false],
  ['trc20', `${tron}A`, false],
  ['trc20', evm, false],
  ['bep20', evm, true],
  ['erc20', evm.toLowerCase(), true],
  ['polygon', evm.slice(0, -1), false],
  ['erc20', tron, false],
  ['binance-pay', '123456789', true],
  ['binance-pay', '12345', false],
  ['binance-pay', evm, false],
] as const)('on %s the address %s is possible: %s', (network, address, expected) => {
  expect(isAddressOf(network, address)).toBe(expected)
})

test.each([
  [null, tron, false],
  ['', tron, false],
  ['https://pay.example/abc', tron, false],
  [tron, tron, false],
  [`tron:${tron}?amount=49`, tron, false],
  [`ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7@1/transfer?address=${evm.toLowerCase()}`, evm, false],
  [`ethereum:${evm.toLowerCase()}`, evm, false],
  ['123456789', '987654321', false],
  [`${tron.slice(0, -1)}F`, tron, true],
  [evm, tron, true],
  [evm.replace('5', '6'), evm, true],
] as const)('the code %j pays another address than %s: %s', (code, address, expected) => {
  expect(paysAnother(code, address)).toBe(expected)
})
