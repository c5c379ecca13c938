// Formatting of audit log entries.
import { expect, onTestFinished, test, vi } from 'vitest'
import { pseudoOf } from '#web/pseudo-locale.ts'
import { auditDetailsText } from './audit-log.tsx'

test.each([
  ['', ''],
  ['{}', ''],
  ['{"months":3,"teaKind":"masala"}', 'Months: 3 · Tea kind: masala'],
  [
    '{"before":{"price":999,"premiumEnd":null,"months":3},"after":{"price":1099,"premiumEnd":null,"months":3,"network":"TRC-20"}}',
    'Price: 999 → 1099 · Network: TRC-20',
  ],
  [
    '{"before":{"premiumEnd":null},"after":{"premiumEnd":"2026-11-20T18:35:00.000Z"},"by":"an admin"}',
    'Premium end: – → 21 Nov 2026, 12:05 AM · Changed by: an admin',
  ],
  ['{"before":null,"after":{"price":5}}', 'Price: 5'],
  ['{"before":1,"after":2}', '1 → 2'],
  ['{"filter":{"search":"asha","to":null,"sort":"asc"},"ids":[1,2]}', 'Search: asha · Order: oldest premium start first · Ids: 1, 2'],
  ['{"filter":{},"rows":13}', 'Rows: 13'],
  ['{"hasRepaired":true,"counts":{"hole":{"found":3,"left":1}}}', 'Repaired: yes · Gaps (found: 3, left: 1)'],
  [
    '{"licences":{"nse":{"mode":"licensed","reference":"NSE/12","delayMinutes":0}}}',
    'NSE (licence: licensed, reference: NSE/12, delay in minutes: 0)',
  ],
  [`{"payee":"${'a'.repeat(64)}"}`, `Payee: ${'a'.repeat(40)}…`],
  ['{"factor":"toString"}', 'Second factor: toString'],
  ['just words', 'just words'],
  ['7', '7'],
])('the details %j read %j', (details, words) => {
  expect(auditDetailsText(details)).toBe(words)
})

test('numbers of rows and fingerprints of images are not shown', () => {
  const before = { price: 999, image: 'a'.repeat(64), version: 1 }
  expect(auditDetailsText(JSON.stringify({ before, after: { ...before, image: 'b'.repeat(64), version: 2 } }))).toBe('QR image changed')
  expect(auditDetailsText(JSON.stringify({ before: null, after: before }))).toBe('Price: 999')
  expect(auditDetailsText('{"change":4,"before":{"status":"pending"},"after":{"status":"paid","months":3}}')).toBe(
    'Status: pending → paid · Months: 3',
  )
  expect(auditDetailsText('{"change":5,"undoes":4,"decision":"accept"}')).toBe('Undone: acceptance')
})

test('codes are shown in the language of the page', async () => {
  vi.resetModules()
  // Other files in the same worker would get these modules with their language.
  onTestFinished(() => {
    vi.resetModules()
  })
  const { installTexts } = await import('#shared/text/texts.ts')
  installTexts((_, english) => pseudoOf(english) as object)
  const { auditDetailsText: translated } = await import('./audit-log.tsx')
  const changes = [
    { before: { status: 'pending' }, after: { status: 'paid' }, term: 'rest of the earlier term' },
    { before: { status: 'paid', role: 'user' }, after: { status: 'cancel', role: 'admin' }, by: 'an admin' },
    { factor: 'authenticator app', term: 'new term, no new payment', by: 'its owner' },
    { factor: 'recovery code', by: 'a link in a mail', licences: { nse: { mode: 'licensed' }, bse: { mode: 'edu-30d' } } },
    { factor: 'passkey', licences: { nse: { mode: 'refused' }, bse: { mode: 'delayed' }, public: { mode: 'open' } } },
  ]
  expect(changes.map((change) => translated(JSON.stringify(change)).match(/[a-z]{3,}/gi)).filter(Boolean)).toEqual([])
})
