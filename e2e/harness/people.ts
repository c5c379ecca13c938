// People in the states that the journeys need, written straight into the database of the server under test.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { hashPassword } from '../../server/features/auth/password.ts'
import type { User } from '../../shared/users/user.ts'

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
  const client = new pg.Client({ connectionString: inject('world').databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into users (name, email, phone, password_hash, created_at, role, status, premium_start, premium_end, subscription_months)
       values ('Asha Rao', $1, '9876543210', $2, now(), $3, $4, $5, $6, $7)`,
      [email, await passwordHash, kind === 'admin' ? 'admin' : 'user', ...subscriptionOf(kind)],
    )
  } finally {
    await client.end()
  }
  return { email, password }
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
