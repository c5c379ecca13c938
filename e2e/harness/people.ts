// People in the states that the journeys need, written straight into the database of the server under test.
import { randomInt, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { passwordHasher } from '../../server/features/auth/password.ts'
import { noticeVersion } from '../../shared/privacy/notice.ts'
import type { User } from '../../shared/users/user.ts'
import { sql } from './sql.ts'

export const password = 'Kesar-Chai-42'

export type Kind = 'free' | 'premium' | 'admin'

export interface Person {
  readonly email: string
  readonly password: string
}

/** The state of a browser in which this person is signed in. */
export interface SignedIn {
  readonly cookies: { name: string; value: string; httpOnly: boolean; sameSite: 'Lax' }[]
  readonly stored: { name: string; value: string }[]
}

let passwordHash: Promise<string> | undefined

/** A new account; a premium one holds for another month. `databaseUrl` is another database than the usual one. */
export async function addPerson(kind: Kind, databaseUrl?: string): Promise<Person> {
  passwordHash ??= passwordHasher('cheap').hash(password)
  const email = `${kind}-${randomUUID().slice(0, 8)}@example.in`
  await sql(
    `with person as (
       insert into users (name, email, phone, password_hash, created_at, role, consent_notice, status, premium_start, premium_end, subscription_months)
       values ('Asha Rao', $1, '9876543210', $2, now(), $3, $4, $5, $6, $7, $8) returning id)
     insert into consents (user_id, at, act, notice_version, is_adult, place)
     select id, now(), 'given', $4, true, 'sign-up' from person`,
    [email, await passwordHash, kind === 'admin' ? 'admin' : 'user', noticeVersion, ...subscriptionOf(kind)],
    databaseUrl,
  )
  return { email, password }
}

/** A new account whose request waits for a decision. */
export async function addRequest(): Promise<Person> {
  const person = await addPerson('free')
  const reference = String(randomInt(1e11, 1e12 / 4))
  await sql(
    `with buyer as (update users set status = 'pending', utr_no = $2, payment_type = 'upi', subscription_months = 1 where email = $1 returning id)
     insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, created_at)
     select id, 'regular', 1, 99900, 'upi', $2, $2, now() from buyer`,
    [person.email, reference],
  )
  return person
}

/**
 * Accounts whose names and emails begin with a mark that is returned, numbered from 01. Number N's premium
 * starts N - 1 days after 1 January 2025, noon in India; nobody can sign in to them.
 */
export async function addCrowd(count: number): Promise<string> {
  const mark = `crowd${randomUUID().slice(0, 8)}`
  await sql(
    `insert into users (name, email, phone, password_hash, created_at, role, status, premium_start, premium_end, subscription_months, utr_no)
     select $1 || ' ' || lpad(n::text, 2, '0'), $1 || '-' || lpad(n::text, 2, '0') || '@example.in', '9876543210', 'none',
            timestamptz '2025-01-01 12:00+05:30', 'user', 'cancel', timestamptz '2025-01-01 12:00+05:30' + (n - 1) * interval '1 day',
            timestamptz '2025-02-01 12:00+05:30' + (n - 1) * interval '1 day', 1, $1 || 'UTR' || lpad(n::text, 2, '0')
       from generate_series(1, $2::int) n`,
    [mark, count],
  )
  return mark
}

function subscriptionOf(kind: Kind): unknown[] {
  const month = 30 * 86_400_000
  return kind === 'premium' ? ['paid', new Date(), new Date(Date.now() + month), 1] : [null, null, null, 0]
}

/** Ticks the two boxes of consent, wherever they stand. */
export async function agree(page: Page): Promise<void> {
  await page.getByLabel('I am 18 or older.').check()
  await page.getByLabel('I agree that my data is used as the privacy notice says.').check()
}

/** Signs in by the API, for tests whose subject is what comes after; `at` is another server than the usual one. */
export async function signInByApi(person: Person, at?: string): Promise<SignedIn> {
  const origin = at ?? inject('world').origin
  const answer = await fetch(`${origin}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(person),
  })
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { sessionToken: string; user: User } }
  const cookies = answer.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    return { name, value, httpOnly: true, sameSite: 'Lax' as const }
  })
  return { cookies, stored: [{ name: 'sessionToken', value: data.sessionToken }] }
}

/** A call of the API as this person, for what other people did before. */
export async function callAs(person: Person, method: string, path: string, body?: unknown): Promise<void> {
  const call = await callerAs(person)
  await call(method, path, body)
}

/** Signs in once and gives a function that makes calls of the API as this person; `at` is another server than the usual one. */
export async function callerAs(person: Person, at?: string): Promise<(method: string, path: string, body?: unknown) => Promise<void>> {
  const origin = at ?? inject('world').origin
  const { cookies, stored } = await signInByApi(person, at)
  const headers = {
    'content-type': 'application/json',
    origin,
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    'session-token': stored[0]?.value ?? '',
  }
  return async (method, path, body) => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  }
}
