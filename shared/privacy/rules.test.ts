// Consent rules, and which access an account on hold loses.
import { expect, test } from 'vitest'
import { inEnglish } from '#shared/http/app-error.ts'
import { findRequiredStep, findAccessRestriction, hasPremium } from '#shared/users/access-restriction.ts'
import { findConsentIssue, findConsentGap, findTickIssue, noTicks } from './rules.ts'
import { noticeVersion } from './notice-version.ts'

test.each([
  [false, false, 'isAdult', 'Please confirm that you are 18 or older'],
  [false, true, 'isAdult', 'Please confirm that you are 18 or older'],
  [true, false, 'isAgreed', 'Please read the privacy notice and agree to it'],
  [true, true, undefined, undefined],
])('adult %s and agreed %s: %s', (isAdult, isAgreed, field, message) => {
  const issue = findTickIssue({ isAdult, isAgreed })
  expect([issue?.field, issue && inEnglish(issue)]).toEqual([field, message])
})

test('both boxes start unchecked', () => {
  expect(noTicks).toEqual({ isAdult: false, isAgreed: false })
})

test.each([
  [false, noticeVersion, 'isAdult', 'Please confirm that you are 18 or older'],
  [false, '', 'isAdult', 'Please confirm that you are 18 or older'],
  [true, '', 'isAgreed', 'The privacy notice has changed. Please reload the page and read it again.'],
  [true, '2025-01-01', 'isAgreed', 'The privacy notice has changed. Please reload the page and read it again.'],
  [true, noticeVersion, undefined, undefined],
])('a consent of an adult (%s) to the notice %j has the error %s', (isAdult, version, field, message) => {
  const issue = findConsentIssue({ isAdult, noticeVersion: version })
  expect([issue?.field, issue && inEnglish(issue)]).toEqual([field, message])
})

test.each([
  ['user', null, false, 'missing'],
  ['user', '2025-01-01', false, 'missing'],
  ['user', noticeVersion, false, undefined],
  ['user', null, true, 'withdrawn'],
  ['user', noticeVersion, true, 'withdrawn'],
  ['admin', null, false, undefined],
  ['admin', null, true, undefined],
] as const)('a %s with the notice %s, withdrawn %s, lacks: %s', (role, consentNotice, isWithdrawn, gap) => {
  expect(findConsentGap({ role, consentNotice, isWithdrawn })).toBe(gap)
})

const premium = { role: 'user', isPremium: true } as const
const free = { role: 'user', isPremium: false } as const
const admin = { role: 'admin', isPremium: false } as const

test.each([
  ['premium', premium, undefined],
  ['premium', { ...premium, consent: 'missing' }, undefined],
  ['premium', { ...premium, consent: 'withdrawn' }, 'consent'],
  ['premium', { ...premium, mustChangePassword: true }, 'password'],
  ['premium', { ...premium, mustChangePassword: true, consent: 'withdrawn' }, 'password'],
  // Free users get the premium error, not the account's other restrictions.
  ['premium', { ...free, mustChangePassword: true }, 'premium'],
  ['premium', { ...free, consent: 'withdrawn' }, 'premium'],
  ['admin', { ...premium, mustChangePassword: true }, 'admin'],
  ['admin', { ...admin, mustChangePassword: true }, 'password'],
  ['admin', admin, undefined],
  ['signed-in', { ...premium, mustChangePassword: true, consent: 'withdrawn' }, undefined],
  ['anyone', undefined, undefined],
  ['signed-in', undefined, 'sign-in'],
] as const)('on a route for %s, %j is denied with: %s', (access, person, issue) => {
  expect(findAccessRestriction(access, person)).toBe(issue)
})

test('no account on hold counts as premium', () => {
  expect([premium, admin, free].map(hasPremium)).toEqual([true, true, false])
  for (const person of [premium, admin]) {
    expect(hasPremium({ ...person, consent: 'missing' })).toBe(true)
    expect(hasPremium({ ...person, consent: 'withdrawn' })).toBe(false)
    expect(hasPremium({ ...person, mustChangePassword: true })).toBe(false)
  }
  expect(findRequiredStep(free)).toBeUndefined()
})
