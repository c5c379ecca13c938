// The filter of the audit log in the address.
import { expect, test } from 'vitest'
import { auditFilterOf, parseAuditListParams, writeAuditListParams } from './audit-list-params.ts'

test.each([
  ['', {}],
  ['actor=%20Priya%20&target=arjun', { actor: 'Priya', target: 'arjun' }],
  ['action=all', { action: 'all' }],
  ['action=role-changed&from=2026-11-01&to=2026-11-20', { action: 'role-changed', from: '2026-11-01', to: '2026-11-20' }],
  ['action=tea-made&from=yesterday&to=2026-02-30', {}],
])('%j is the filter %j', (search, filter) => {
  const params = parseAuditListParams(new URLSearchParams(search))
  expect(auditFilterOf(params)).toEqual(filter)
  expect(Object.fromEntries(writeAuditListParams(params))).toEqual(filter)
})
