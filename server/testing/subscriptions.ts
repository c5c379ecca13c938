// Shared by tests of subscriptions: plans, users, and the check that the history leads to the current state.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Browser, TestApp } from './app.ts'

/** Adds a regular plan (3 months, 2,999.50 rupees) and a crypto plan (1 month, 49 dollars). */
export async function addPlans(server: TestApp): Promise<void> {
  const plan = { qr_image: 'data:image/png;base64,AAAA', qr_text: null, updated_at: new Date(server.clock.nowMs) }
  await server.database.db
    .insertInto('plans')
    .values([
      { ...plan, type: 'regular', months: 3, price_minor: 299_950 },
      { ...plan, type: 'crypto', months: 1, price_minor: 4900 },
    ])
    .execute()
}

export interface Member {
  readonly id: string
  readonly email: string
  readonly browser: Browser
}

/** A signed-in user or admin with a unique address; with a password the sign-in goes through the API, which logs it. */
export async function addMember(server: TestApp, values: Parameters<TestApp['addUser']>[0] = {}, password?: string): Promise<Member> {
  const user = await server.addUser(values)
  const bytes = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
  const browser = server.browser({ address: `10.${bytes[0]}.${bytes[1]}.${bytes[2]}` })
  await browser.signIn(user.email, password)
  return { ...user, browser }
}

/** An empty database with plans, a member and two admins. */
export async function resetDesk(server: TestApp): Promise<Record<'member' | 'admin' | 'secondAdmin', Member>> {
  await server.reset()
  await addPlans(server)
  const member = await addMember(server)
  const admin = await addMember(server, { role: 'admin' })
  return { member, admin, secondAdmin: await addMember(server, { role: 'admin' }) }
}

/** The user's columns, and the changes oldest first. */
export async function stateOf(server: TestApp, userId: string) {
  const { db } = server.database
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const history = await db.selectFrom('subscription_history').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  const requests = await db.selectFrom('payment_requests').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
  return { user, history, requests }
}

/** Each change starts where the last one ended, and the last one ends in the current state. */
export async function expectHistoryToReplay(server: TestApp, userId: string): Promise<void> {
  const { user, history, requests } = await stateOf(server, userId)
  let before: { status: string | null; end: number | undefined } = { status: null, end: undefined }
  for (const change of history) {
    expect({ status: change.status_before, end: change.premium_end_before?.getTime() }).toEqual(before)
    before = { status: change.status_after, end: change.premium_end_after?.getTime() }
  }
  expect({ status: user.status, end: user.premium_end?.getTime() }).toEqual(before)
  expect(requests.filter((request) => request.status === 'pending')).toHaveLength(user.status === 'pending' ? 1 : 0)
}
