// Entries of the audit log as sentences.
import { expect, test } from 'vitest'
import { auditActions } from './audit-actions.ts'
import { auditSentence } from './audit-sentence.ts'

const row = { actor: 'priya@example.in', actorName: 'Priya', target: 'arjun@example.in', targetName: 'Arjun', details: '{}' }
const accepted = (before: string | null) =>
  JSON.stringify({ before: { status: before }, after: { status: 'paid', premiumEnd: '2027-02-22T06:00:00.000Z', months: 3 } })

test.each([
  [{ action: 'subscription-accept', details: accepted('pending') }, "Priya accepted Arjun's request, premium until 22 Feb 2027"],
  [{ action: 'subscription-accept', details: accepted('cancel') }, 'Priya accepted Arjun again, premium until 22 Feb 2027'],
  [{ action: 'subscription-accept' }, "Priya accepted Arjun's request"],
  [{ action: 'subscription-decline' }, "Priya declined Arjun's request"],
  [{ action: 'subscription-suspend' }, "Priya suspended Arjun's premium"],
  [
    { action: 'subscription-months', details: '{"before":{"months":1},"after":{"months":3,"premiumEnd":"2027-02-22T19:00:00.000Z"}}' },
    "Priya changed Arjun's months from 1 to 3, premium until 23 Feb 2027",
  ],
  [
    { action: 'subscription-months', details: '{"before":{"months":1},"after":{"months":3,"premiumEnd":null}}' },
    "Priya changed Arjun's months from 1 to 3",
  ],
  [{ action: 'role-changed', details: '{"after":{"role":"admin"}}' }, 'Priya made Arjun an admin'],
  [{ action: 'role-changed', details: '{"after":{"role":"user"}}' }, "Priya removed Arjun's admin role"],
  [{ action: 'password-reset', targetName: null }, 'Priya set a temporary password for arjun@example.in'],
  [{ action: 'plan-updated', target: 'crypto plan', targetName: null }, 'Priya changed the crypto plan'],
  [{ action: 'sign-in', actorName: null }, 'priya@example.in signed in'],
  [{ action: 'sign-in-failed', actor: 'nobody', actorName: null }, "Failed sign-in to Arjun's account"],
  [{ action: 'sign-in-failed', target: 'unknown account', targetName: null }, 'Failed sign-in with an unknown email'],
  [{ action: 'access-refused', target: 'GET /admin', targetName: null }, 'Priya was denied GET /admin'],
  [{ action: 'database-restored', actor: 'operator at the machine', actorName: null }, 'The operator restored the database'],
  [{ action: 'market-licences', actor: 'configuration', actorName: null }, 'The configuration changed the licences of market data'],
  [{ action: 'tea-made' }, 'Priya: Tea made (Arjun)'],
  [{ action: 'toString' }, 'Priya: ToString (Arjun)'],
  [{ action: 'subscription-accept', details: 'no json' }, "Priya accepted Arjun's request"],
])('%j reads "%s"', (change, sentence) => {
  expect(auditSentence({ ...row, ...change })).toBe(sentence)
})

test.each(auditActions)('%s has a sentence of its own', (action) => {
  expect(auditSentence({ ...row, action })).not.toContain(': ')
})
