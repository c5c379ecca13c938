// Users in the states that the tests need, written directly into the database of the server under test.
import { randomInt, randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { passwordHasher } from '../../server/features/auth/password-hasher.ts'
import { insertTestSession, type TestSession } from '../../server/testing/insert-session.ts'
import { noticeVersion } from '../../shared/privacy/notice-version.ts'
import { databaseOf, sql } from './sql.ts'
import { world, type ServerUnderTest } from './world.ts'

export const password = 'Kesar-Chai-42'

export type Kind = 'free' | 'premium' | 'admin'

export interface Person {
  readonly email: string
  readonly password: string
  readonly kind?: Kind
  /** Server of the account, if not the default one. */
  readonly server?: ServerUnderTest
}

const cookieName = 'tezi_session'

let passwordHash: Promise<string> | undefined

/** A new account; premium lasts for another month. `server` overrides the default one. */
export async function addPerson(kind: Kind, server?: ServerUnderTest): Promise<Person> {
  passwordHash ??= passwordHasher('cheap').hash(password)
  const email = `${kind}-${randomUUID().slice(0, 8)}@example.in`
  await sql(
    `with person as (
       insert into users (name, email, phone, password_hash, created_at, email_confirmed_at, role, consent_notice, status, premium_start, premium_end, subscription_months)
       values ('Asha Rao', $1, '9876543210', $2, now(), now(), $3, $4, $5, $6, $7, $8) returning id)
     insert into consents (user_id, at, act, notice_version, is_adult, place)
     select id, now(), 'given', $4, true, 'sign-up' from person`,
    [email, await passwordHash, kind === 'admin' ? 'admin' : 'user', noticeVersion, ...subscriptionOf(kind)],
    server?.databaseUrl,
  )
  return { email, password, kind, ...(server === undefined ? {} : { server }) }
}

/** A new account with a pending request. */
export async function addRequest(server?: ServerUnderTest): Promise<Person> {
  const person = await addPerson('free', server)
  const reference = String(randomInt(1e11, 1e12 / 4))
  await sql(
    `with buyer as (update users set status = 'pending', utr_no = $2, payment_type = 'upi', subscription_months = 1 where email = $1 returning id)
     insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, created_at)
     select id, 'regular', 1, 99900, 'upi', $2, $2, now() from buyer`,
    [person.email, reference],
    server?.databaseUrl,
  )
  return person
}

/**
 * Accounts whose names and emails start with the returned mark, numbered from 01. Number N's premium
 * starts N - 1 days after 1 January 2025, noon in India; they cannot sign in.
 */
export async function addCrowd(count: number, server?: ServerUnderTest): Promise<string> {
  const mark = `crowd${randomUUID().slice(0, 8)}`
  await sql(
    `insert into users (name, email, phone, password_hash, created_at, role, status, premium_start, premium_end, subscription_months, utr_no)
     select $1 || ' ' || lpad(n::text, 2, '0'), $1 || '-' || lpad(n::text, 2, '0') || '@example.in', '9876543210', 'none',
            timestamptz '2025-01-01 12:00+05:30', 'user', 'cancel', timestamptz '2025-01-01 12:00+05:30' + (n - 1) * interval '1 day',
            timestamptz '2025-02-01 12:00+05:30' + (n - 1) * interval '1 day', 1, $1 || 'UTR' || lpad(n::text, 2, '0')
       from generate_series(1, $2::int) n`,
    [mark, count],
    server?.databaseUrl,
  )
  return mark
}

function subscriptionOf(kind: Kind): unknown[] {
  const month = 30 * 86_400_000
  return kind === 'premium' ? ['paid', new Date(), new Date(Date.now() + month), 1] : [null, null, null, 0]
}

/** Checks the two consent boxes. */
export async function agree(page: Page): Promise<void> {
  await page.getByLabel('I am 18 or older.').check()
  await page.getByLabel('I agree that my data is used as the privacy notice says.').check()
}

/** A session of this user, written directly into the database: no password is hashed. */
async function openSession(person: Person): Promise<TestSession> {
  const server = person.server ?? world()
  const db = databaseOf(server.databaseUrl)
  const { id } = await db.selectFrom('users').select('id').where('email', '=', person.email).executeTakeFirstOrThrow()
  return insertTestSession(db, { userId: id, at: new Date(server.nowMs ?? Date.now()), address: '127.0.0.1' })
}

/** Signs the user in for all pages of a context: the cookie, and the token where the first page reads it. */
export async function signInContext(context: BrowserContext, person: Person, origin: string): Promise<void> {
  const { cookie, sessionToken } = await openSession(person)
  await context.addCookies([{ name: cookieName, value: cookie, url: origin, httpOnly: true, sameSite: 'Lax' }])
  // `storageState` would open a separate page for this, which is as expensive as the test's.
  await context.addInitScript(
    ([origin, token]) => {
      if (location.origin !== origin || localStorage.getItem('e2e.isSignedIn') !== null) return
      localStorage.setItem('sessionToken', token)
      localStorage.setItem('e2e.isSignedIn', 'once')
    },
    [origin, sessionToken] as const,
  )
}

/** Headers of calls by this user. */
export async function headersOf(person: Person): Promise<Record<string, string>> {
  const { cookie, sessionToken } = await openSession(person)
  return { cookie: `${cookieName}=${cookie}`, 'session-token': sessionToken }
}

/** The real sign-in, for tests about passwords. @throws Error with the server's message if it is denied */
export async function signInByApi({ email, password }: Person): Promise<void> {
  await post('/auth/sign-in', { email, password })
}

/** The call of the specification, without any consent. */
export async function signUpByApi(email: string, name: string): Promise<void> {
  await post('/auth/sign-up', { name, email, phone: '9876543210', password, confirmPassword: password })
}

function post(path: string, body: unknown): Promise<void> {
  return call(world().origin, {}, 'POST', path, body)
}

/** An API call as this user, for earlier actions of other users. */
export async function callAs(person: Person, method: string, path: string, body?: unknown): Promise<void> {
  await (
    await callerAs(person)
  )(method, path, body)
}

/** Makes API calls as this user, all in one session. */
export async function callerAs(person: Person): Promise<(method: string, path: string, body?: unknown) => Promise<void>> {
  const headers = await headersOf(person)
  return (method, path, body) => call((person.server ?? world()).origin, headers, method, path, body)
}

async function call(origin: string, headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
}
