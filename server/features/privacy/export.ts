// Streams everything that is stored about one user as one JSON object.
import { Readable } from 'node:stream'
import type { Db } from '#server/db/database.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * The export as a stream of text. Secrets (hashes of password, cookie, token, link and recovery codes, the key of the
 * authenticator app, the keys and the session of a broker) are left out, and so are the names and addresses of admins, which
 * are not data about this user.
 */
export function exportOf(db: Db, userId: string, at: Date): Readable {
  return Readable.from(textOf(db, userId, at))
}

async function* textOf(db: Db, userId: string, at: Date): AsyncGenerator<string> {
  yield `{\n"exportedAt": ${JSON.stringify(at)}`
  for (const [name, read] of Object.entries(sections))
    yield `,\n${JSON.stringify(name)}: ${JSON.stringify(await read(db, userId), null, 1)}`
  yield '\n}\n'
}

/** Tables by their names in the file. */
const sections: Readonly<Record<string, (db: Db, userId: string) => Promise<Row | null | readonly Row[]>>> = {
  account: accountOf,
  consents: (db, id) =>
    db
      .selectFrom('consents')
      .select(['at', 'act', 'notice_version as noticeVersion', 'is_adult as isAdult', 'place'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
  paymentRequests: (db, id) =>
    db
      .selectFrom('payment_requests')
      .select(['id', 'type', 'months', 'price_minor as priceMinor', 'rail', 'reference_raw as referenceAsTyped', 'reference', 'status'])
      .select(['created_at as createdAt', 'decided_at as decidedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
  subscriptionHistory: historyOf,
  chartSettings: async (db, id) =>
    (await db.selectFrom('chart_settings').select(['flags', 'updated_at as updatedAt']).where('user_id', '=', id).executeTakeFirst()) ??
    null,
  workspace: async (db, id) =>
    (await db.selectFrom('workspaces').select(['content', 'updated_at as updatedAt']).where('user_id', '=', id).executeTakeFirst()) ?? null,
  drawings: (db, id) =>
    db.selectFrom('drawings').select(['series', 'items', 'updated_at as updatedAt']).where('user_id', '=', id).orderBy('series').execute(),
  sessions: (db, id) =>
    db
      .selectFrom('sessions')
      .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'ended_at as endedAt', 'end_reason as endReason'])
      .select(['address', 'user_agent as userAgent', 'confirmed_at as passwordConfirmedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
  openTabs: (db, id) =>
    db
      .selectFrom('presence')
      .select(['session_id as sessionId', 'tab_id as tabId', 'expires_at as expiresAt'])
      .where('user_id', '=', id)
      .execute(),
  passwordLinks: (db, id) =>
    db
      .selectFrom('password_links')
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
  emailLinks: (db, id) =>
    db
      .selectFrom('email_links')
      .select(['email', 'created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
  authenticatorApp: async (db, id) =>
    (await db
      .selectFrom('totp_secrets')
      .select('created_at as createdAt')
      .where('user_id', '=', id)
      .where('is_pending', '=', false)
      .executeTakeFirst()) ?? null,
  passkeys: (db, id) =>
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'transports', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
  brokerConnection: async (db, id) =>
    (await db
      .selectFrom('broker_connections')
      .select(['broker', 'address', 'created_at as connectedAt', 'session_at as sessionSince', 'expires_at as sessionUntil'])
      .select('refused_at as refusedAt')
      .where('user_id', '=', id)
      .executeTakeFirst()) ?? null,
  recoveryCodes: (db, id) =>
    db.selectFrom('recovery_codes').select(['created_at as createdAt', 'used_at as usedAt']).where('user_id', '=', id).execute(),
  auditLog: auditOf,
}

async function accountOf(db: Db, userId: string): Promise<Row | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'phone', 'role', 'status', 'created_at as createdAt'])
    .select(['premium_start as premiumStart', 'premium_end as premiumEnd', 'anchor_day as anchorDay'])
    .select(['subscription_months as subscriptionMonths', 'payment_type as paymentType', 'utr_no as reference'])
    .select(['email_confirmed_at as emailConfirmedAt', 'made_with_mail as madeWithMail', 'claimed_at as claimedAt'])
    .select(['password_is_temporary as passwordIsTemporary', 'temporary_password_until as temporaryPasswordUntil'])
    .select(['consent_notice as consentNotice', 'consent_withdrawn_at as consentWithdrawnAt', 'second_factor_since as secondFactorSince'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Users do not see which admin decided, as in the UI. */
async function historyOf(db: Db, userId: string): Promise<readonly Row[]> {
  const rows = await db.selectFrom('subscription_history').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map((row) => ({
    at: row.at,
    command: row.command,
    by: row.actor_id === userId ? 'you' : row.command === 'expire' ? 'automatic' : 'support',
    requestId: row.request_id,
    reason: row.reason,
    statusBefore: row.status_before,
    statusAfter: row.status_after,
    premiumEndBefore: row.premium_end_before,
    premiumEndAfter: row.premium_end_after,
    months: row.months_after,
  }))
}

async function auditOf(db: Db, userId: string): Promise<readonly Row[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where((expression) => expression.or([expression('actor_id', '=', userId), expression('target_id', '=', userId)]))
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const isOwn = row.actor_id === null || row.actor_id === userId
    return {
      at: row.at,
      action: row.action,
      by: row.actor_id === userId ? 'you' : row.actor_id === null ? 'not signed in' : 'support',
      // Targets of an admin's actions are ids only; their names are data about them.
      target: row.target_id === userId || row.target_id === null ? row.target : row.target_id,
      address: isOwn ? row.address : null,
      details: row.details,
    }
  })
}
