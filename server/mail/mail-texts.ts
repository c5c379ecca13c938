// Texts of mails by language: subject and paragraphs.
import { emailMails } from '#shared/text/en/email.ts'
import { factorMailText } from '#shared/text/en/factor-mails.ts'
import type { Translation } from '#shared/text/texts.ts'

const english = { ...emailMails, ...factorMailText }

type MailTexts = Translation<typeof english>

const byLanguage = { en: english } as const satisfies Readonly<Record<string, MailTexts>>

export type MailLanguage = keyof typeof byLanguage

/** Accounts have no language yet. */
export const defaultLanguage: MailLanguage = 'en'

export function mailTexts(language: MailLanguage): MailTexts {
  return byLanguage[language]
}
