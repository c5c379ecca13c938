// Settings of alerts, for the environment schema in config.ts.
import { z } from 'zod'
import { isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { urlOf } from './variable-kinds.ts'

export interface AlertConfig {
  /** Address for alerts by mail. */
  readonly email: string | undefined
  readonly telegram: { readonly apiUrl: string; readonly token: string; readonly chat: string } | undefined
}

export const alertVariables = {
  ALERT_EMAIL: z.string().transform(normaliseEmail).refine(isEmail, 'must be an email address').optional(),
  ALERT_TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must be the token of a bot')
    .optional(),
  ALERT_TELEGRAM_CHAT: z
    .string()
    .regex(/^(-?\d+|@\w+)$/, 'must be the number of a chat, or @name of a channel')
    .optional(),
  ALERT_TELEGRAM_URL: urlOf(['http:', 'https:']).default('https://api.telegram.org'),
}

interface AlertValues {
  readonly ALERT_EMAIL?: string | undefined
  readonly ALERT_TELEGRAM_TOKEN?: string | undefined
  readonly ALERT_TELEGRAM_CHAT?: string | undefined
  readonly ALERT_TELEGRAM_URL: string
  readonly SMTP_URL?: string | undefined
}

/** The settings, or why they cannot be used. */
export function alertConfigOf(values: AlertValues): AlertConfig | { readonly issue: string } {
  const { ALERT_EMAIL: email, ALERT_TELEGRAM_TOKEN: token, ALERT_TELEGRAM_CHAT: chat, ALERT_TELEGRAM_URL, SMTP_URL } = values
  if (email !== undefined && SMTP_URL === undefined) return { issue: 'ALERT_EMAIL: needs SMTP_URL' }
  if ((token === undefined) !== (chat === undefined)) return { issue: 'ALERT_TELEGRAM_TOKEN and ALERT_TELEGRAM_CHAT: set both or neither' }
  const telegram = token === undefined || chat === undefined ? undefined : { apiUrl: ALERT_TELEGRAM_URL.replace(/\/+$/, ''), token, chat }
  return { email, telegram }
}
