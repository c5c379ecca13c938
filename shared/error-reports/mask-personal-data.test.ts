// Personal data that an error report must mask, and useful data that it must keep.
import { expect, test } from 'vitest'
import { maskPersonalData } from './mask-personal-data.ts'

test.each([
  ['an email', 'No user asha.rao+test@example.in found', 'No user [email] found'],
  ['an email in another script', 'कवि@उदाहरण.भारत failed', '[email] failed'],
  ['a UPI address', 'pay shop@okaxis now', 'pay [email] now'],
  ['a phone number', 'phone 9876543210', 'phone [number]'],
  ['a spaced phone number', 'call +91 98765-43210!', 'call +[number]!'],
  ['a phone number in Devanagari digits', 'phone ९८७६५४३२१०', 'phone [number]'],
  ['a UTR', 'UTR 632412345678 is used', 'UTR [number] is used'],
  ['a bank reference', 'HDFCR52026112012345678', 'HDFCR[number]'],
  ['a transaction hash', `0x${'ab12'.repeat(16)} not found`, '[token] not found'],
  ['a session token', 'got Zk3xq9Yw2LrT5vB8nM1cP4sD7fG0hJ6aQ-_eRtUiOp1', 'got [token]'],
  ['a user id', 'user 0192d3b4-5c6d-4e7f-8a9b-0c1d2e3f4a5b', 'user [token]'],
  ['a short secret', 'token=abc, password: "hunter2"', 'token=[secret], password: "[secret]"'],
  ['a bearer header', 'Authorization: x Bearer abc.def', 'Authorization: [secret] Bearer [secret]'],
  ['a query', 'at https://tezi.example/account?email=a&x=1 failed', 'at https://tezi.example/account?[query] failed'],
  [
    'a query before a position',
    'at f (http://localhost:5173/lib/x.ts?t=1700000000000:10:5)',
    'at f (http://localhost:5173/lib/x.ts?[query]:10:5)',
  ],
  ['a fragment', '/reset-password#token=s3cret', '/reset-password#[fragment]'],
])('%s is masked, also a second time', (_what, text, masked) => {
  expect(maskPersonalData(text)).toBe(masked)
  expect(maskPersonalData(masked)).toBe(masked)
})

test.each([
  'TypeError: Cannot read properties of undefined (reading "close")',
  '    at Aa (https://tezi.example/assets/vendor-Dn1oMakg.js:1:123456)',
  '    at https://tezi.example/assets/chart-settings-panel-DkA93jd8.js:12:34567',
  'render@https://tezi.example/assets/native-stage-B3mwzhQX.js:1:2345',
  'module code@https://tezi.example/assets/index-Cx0vi6fp.js:1:99',
  'Class.#private is read-only',
  '/nifty50/5m',
])('%s is kept', (text) => {
  expect(maskPersonalData(text)).toBe(text)
})

test.each([
  '-'.repeat(4000),
  'a'.repeat(4000),
  '1 '.repeat(2000),
  'a@'.repeat(2000),
  '?'.repeat(4000),
  'a?:1'.repeat(1000),
  '#:1'.repeat(1300),
])('malicious input takes little time', (text) => {
  // CPU time, which is independent of other load on the machine.
  const start = process.cpuUsage()
  maskPersonalData(text)
  expect(process.cpuUsage(start).user).toBeLessThan(500_000)
})
