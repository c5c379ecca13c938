// Creates the seed data through the product's services in time order, so that its history is realistic.
import type { Db } from '#server/db/database.ts'
import { auditService } from '#server/features/audit/service.ts'
import type { PasswordHasher } from '#server/features/auth/password-hasher.ts'
import { AuthRepository } from '#server/features/auth/repository.ts'
import { PasswordService } from '#server/features/auth/password-service.ts'
import { AuthService, type SignedIn } from '#server/features/auth/service.ts'
import type { Caller, RequestActor } from '#server/http/session.ts'
import { plansService } from '#server/features/plans/service.ts'
import { privacyService, recordConsent } from '#server/features/privacy/service.ts'
import { subscriptionsService } from '#server/features/subscriptions/service.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { workspaceService } from '#server/features/workspace/service.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { proofOfWork } from '#server/http/proof-of-work.ts'
import { mailService } from '#server/mail/mail-service.ts'
import { loadServerKeys } from '#server/secrets/secret-box.ts'
import { qrDataUrl, upiText } from '#server/testing/images.ts'
import { dayMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/app-error.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { upiDayOf } from '#shared/subscriptions/rules.ts'
import { seedDrawings, seedWorkspace } from './charts.ts'
import { seedAdminEmail, seedPassword, seedPeople, type Person, type Step } from './people.ts'

/** Reserved for documentation. */
const adminCaller = { address: '198.51.100.10', userAgent: 'Mozilla/5.0 (Macintosh) Firefox/145.0' }
const userCaller = { address: '203.0.113.20', userAgent: 'Mozilla/5.0 (Linux; Android 16) Chrome/142.0 Mobile' }
const worldDays = 400
const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'

const noticeMs = Date.parse(noticeVersion)
const earlierNotice = '2025-06-01'

/** The notice of a moment; a world that ends before the present notice has that one throughout. */
const noticeAt = (atMs: number, nowMs: number): string => (atMs < noticeMs && noticeMs <= nowMs ? earlierNotice : noticeVersion)

/** Of UPI with the day of its payment, as the hint for admins expects. */
const referenceOf = ({ plan, reference }: Extract<Step, { do: 'submit' }>, atMs: number): string =>
  plan === 'crypto' ? reference : `${upiDayOf(atMs)}${reference.slice(4)}`

export type Account = Readonly<{ id: string; email: string }>

/** Fills the database; the caller has checked that it has no seed data. */
export async function playWorld({ db, nowMs, hasher }: { db: Db; nowMs: number; hasher: PasswordHasher }): Promise<void> {
  let clockMs = nowMs
  const now = () => clockMs
  const onError = (error: unknown) => {
    throw error
  }
  const presence = databasePresence(db)
  const keyFor = await loadServerKeys(db)
  const proofs = proofOfWork({ rateLimiter: noRateLimits, key: keyFor('proof-of-work'), now })
  const mails = mailService({ db, mailer: undefined, onError })
  const base = { db, rateLimiter: noRateLimits, presence, hasher, deviceKey: keyFor('device'), proofs, mails, now, onError }
  const auth = new AuthService(base)
  const passwords = new PasswordService({ ...base, linkOrigin: 'http://localhost', brandName: 'Tezi' })
  const plans = plansService({ db, audit: auditService(base), now })
  const subscriptions = subscriptionsService(base)
  const privacy = privacyService(base)
  const workspaces = workspaceService({ db, now })
  // One hash for all: forty would take most of the run.
  const passwordHash = await hasher.hash(seedPassword)
  const accounts = new Map<string, Account>()

  function account(email: string): Account {
    const found = accounts.get(email)
    if (found === undefined) throw new Error(`${email} has no account yet`)
    return found
  }
  const admin = () => ({ ...account(seedAdminEmail), address: adminCaller.address, sessionId: '', confirmedAtMs: now() })

  async function join(person: Pick<Person, 'email' | 'name' | 'phone' | 'hasConsent'>, role?: 'admin'): Promise<void> {
    const { email, name, phone, hasConsent } = person
    const at = new Date(now())
    await db.transaction().execute(async (transaction) => {
      const values = {
        name,
        email,
        phone,
        password_hash: passwordHash,
        created_at: at,
        email_confirmed_at: at,
        ...(role === undefined ? {} : { role }),
      }
      const created = await new AuthRepository(transaction).insertAccount(values)
      if (created === undefined) throw new Error(`${email} is taken`)
      accounts.set(email, { id: created.id, email })
      if (!hasConsent) return
      const consent = { user_id: created.id, at, act: 'given', place: 'sign-up', is_adult: true } as const
      await recordConsent(transaction, { ...consent, notice_version: noticeAt(now(), nowMs) })
    })
  }

  async function signedInAdmin(): Promise<RequestActor> {
    const { cookie, sessionToken } = await signIn(seedAdminEmail, adminCaller)
    const session = await auth.sessions.findCurrent(cookie, sessionToken)
    if (session === undefined) throw new Error('the admin could not sign in')
    return { ...admin(), sessionId: session.id, confirmedAtMs: session.confirmedAtMs }
  }

  async function addPlans(): Promise<void> {
    const editor = await signedInAdmin()
    const kept = new Set((await plans.list()).map(({ type }) => type))
    const orders = [
      { type: 'regular', month: 3, price: 2999, qrcodeUrl: await qrDataUrl(upiText) },
      { type: 'crypto', month: 1, price: 49, qrcodeUrl: await qrDataUrl(wallet), network: 'bep20', address: wallet },
    ] as const
    for (const order of orders) if (!kept.has(order.type)) await plans.create(editor, order)
  }

  async function signIn(email: string, caller: Caller): Promise<SignedIn> {
    const answer = await auth.signIn({ email, password: seedPassword }, caller, undefined)
    if ('challenge' in answer) throw new Error(`${email} has a second factor`)
    return answer
  }

  async function perform(email: string, step: Step): Promise<void> {
    const { id } = account(email)
    switch (step.do) {
      case 'submit':
        return subscriptions.submit(id, { type: step.plan, utrNo: referenceOf(step, now()) })
      case 'accept':
      case 'decline':
      case 'suspend':
        await subscriptions.setStatus(admin(), { id, status: step.do === 'accept' })
        return
      case 'months':
        return subscriptions.changeMonths(admin(), { email, months: step.months })
      case 'withdraw':
        return privacy.withdraw(id)
      case 'reset-password':
        return passwords.reset(await signedInAdmin(), { email, newPassword: seedPassword })
      case 'wrong-password': {
        const form = { email, password: 'not-the-password' }
        const error: unknown = await auth.signIn(form, userCaller, undefined).catch((thrown: unknown) => thrown)
        if (error instanceof AppError && error.kind === 'unauthenticated') return
        throw error
      }
      case 'use': {
        const { user } = await signIn(email, userCaller)
        await workspaces.save(user, { version: 0, workspace: seedWorkspace })
        if (step.hasDrawings) await workspaces.saveDrawings(user, 'nifty', { version: 0, drawings: seedDrawings(now()) })
      }
    }
  }

  /** Expires terms on time, as the server's job would have done. */
  async function expireUntil(atMs: number): Promise<void> {
    for (;;) {
      const { end } = await db
        .selectFrom('users')
        .select(({ fn }) => fn.min('premium_end').as('end'))
        .where('status', '=', 'paid')
        .where('premium_end', '<=', new Date(atMs))
        .executeTakeFirstOrThrow()
      if (end === null) return
      clockMs = new Date(end).getTime()
      await subscriptions.expire()
    }
  }

  /** Asked again after the change of the notice, as on the site; all but those who have withdrawn. */
  function renewals(): { atMs: number; run: () => Promise<void> }[] {
    if (noticeMs > nowMs) return []
    const asked = people.filter(({ hasConsent, joinedDaysAgo, steps }) => {
      const isWithdrawn = steps.some((step) => step.do === 'withdraw')
      return hasConsent && !isWithdrawn && at(joinedDaysAgo) < noticeMs
    })
    return [seedAdminEmail, ...asked.map(({ email }) => email)].map((email, index) => ({
      atMs: noticeMs + ((nowMs - noticeMs) * (index + 1)) / (asked.length + 2),
      run: () => privacy.give(account(email).id, { noticeVersion, isAdult: true }),
    }))
  }

  const people = seedPeople()
  const at = (daysAgo: number) => nowMs - Math.round(daysAgo * dayMs)
  const events = [
    { atMs: at(worldDays), run: () => join({ email: seedAdminEmail, name: 'Demo Admin', phone: '', hasConsent: true }, 'admin') },
    { atMs: at(worldDays - 1), run: addPlans },
    ...people.flatMap((person) => [
      { atMs: at(person.joinedDaysAgo), run: () => join(person) },
      ...person.steps.map((step) => ({ atMs: at(step.daysAgo), run: () => perform(person.email, step) })),
    ]),
    ...renewals(),
  ].toSorted((one, other) => one.atMs - other.atMs)
  for (const { atMs, run } of events) {
    await expireUntil(atMs)
    clockMs = atMs
    await run()
  }
  await expireUntil(nowMs)
  await presence.close()
}
