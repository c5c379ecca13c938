// People in the states that the journeys need, written straight into the database of the server under test.
import { randomInt, randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { hashPassword } from '../../server/features/auth/password.ts'
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

/** A new account; a premium one holds for another month. */
export async function addPerson(kind: Kind): Promise<Person> {
  passwordHash ??= hashPassword(password)
  const email = `${kind}-${randomUUID().slice(0, 8)}@example.in`
  await sql(
    `insert into users (name, email, phone, password_hash, created_at, role, status, premium_start, premium_end, subscription_months)
     values ('Asha Rao', $1, '9876543210', $2, now(), $3, $4, $5, $6, $7)`,
    [email, await passwordHash, kind === 'admin' ? 'admin' : 'user', ...subscriptionOf(kind)],
  )
  return { email, password }
}

/** A new account whose request waits for a decision. */
export async function addRequest(): Promise<Person> {
  const person = await addPerson('free')
  const reference = String(randomInt(1e11, 1e12 / 4))
  await sql(
    `with buyer as (update users set status = 'pending', utr_no = $2, payment_type = 'upi' where email = $1 returning id)
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

/** Signs in by the API, for tests whose subject is what comes after. */
export async function signInByApi(person: Person): Promise<SignedIn> {
  const { origin } = inject('world')
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
  const { origin } = inject('world')
  const { cookies, stored } = await signInByApi(person)
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      origin,
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      'session-token': stored[0]?.value ?? '',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
}
