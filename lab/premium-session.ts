// A signed-in user of a server on an embedded database, written into that database, for scripts that open its pages.
import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { openBesideServer } from '#server/open-database.ts'
import { insertTestSession, type TestSession } from '#server/testing/insert-session.ts'
import { dayMs } from '#shared/base/durations.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'

/** A new account with consent, and for `premium` a month of it. */
export async function addSession(dataDir: string, kind: 'free' | 'premium'): Promise<TestSession> {
  const database = await openBesideServer({ dataDir, log: () => undefined })
  try {
    const { db } = database
    const at = new Date()
    const premium = {
      status: 'paid',
      premium_start: at,
      premium_end: new Date(at.getTime() + 30 * dayMs),
      subscription_months: 1,
    } as const
    const { id } = await db
      .insertInto('users')
      .values({
        name: 'Asha Rao',
        email: `${kind}-${randomUUID().slice(0, 8)}@example.in`,
        phone: '9876543210',
        password_hash: 'none',
        created_at: at,
        email_confirmed_at: at,
        role: 'user',
        consent_notice: noticeVersion,
        ...(kind === 'premium' ? premium : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('consents')
      .values({ user_id: id, at, act: 'given', notice_version: noticeVersion, is_adult: true, place: 'sign-up' })
      .execute()
    return await insertTestSession(db, { userId: id, at, address: '127.0.0.1' })
  } finally {
    await database.close()
  }
}

/** Signs in all pages of a context. */
export async function signInContext(context: BrowserContext, { cookie, sessionToken }: TestSession, origin: string): Promise<void> {
  await context.addCookies([{ name: 'tezi_session', value: cookie, url: origin, httpOnly: true, sameSite: 'Lax' }])
  await context.addInitScript((token) => {
    if (window === window.top) localStorage.setItem('sessionToken', token)
  }, sessionToken)
}
