// Actions of the audit log.

/** What admins, the operator and the configuration do; the log shows these unless asked for others. */
export const adminActions = [
  'subscription-accept',
  'subscription-decline',
  'subscription-suspend',
  'subscription-months',
  'subscription-undo',
  'role-changed',
  'password-reset',
  'second-factor-reset',
  'address-freed',
  'plan-created',
  'plan-updated',
  'plan-deleted',
  'users-exported',
  'audit-exported',
  'instrument-changed',
  'market-licences',
  'candles-imported',
  'calendar-imported',
  'candles-verified',
  'database-moved',
  'database-restored',
] as const

/** What people do with their own accounts, and who signs in and reads. */
const otherActions = [
  'sign-in',
  'sign-in-failed',
  'access-refused',
  'users-read',
  'password-changed',
  'email-confirmed',
  'email-changed',
  'second-factor-added',
  'second-factor-removed',
  'recovery-codes-made',
  'udf-key-created',
  'udf-key-revoked',
  'broker-connected',
  'broker-renewed',
  'broker-disconnected',
  'data-exported',
  'account-erased',
] as const

export const auditActions = [...adminActions, ...otherActions] as const
export type AuditAction = (typeof auditActions)[number]
