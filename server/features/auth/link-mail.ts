// The mail with the link for a forgotten password, or for the owner of an address that is not confirmed.
import { mailTexts, type MailLanguage } from '#server/mail/mail-texts.ts'
import type { Mail } from '#server/mail/mailer.ts'

/** Lifetime of a link. */
export const linkMinutes = 30

interface LinkMail {
  readonly to: string
  readonly name: string | undefined
  /** Whether the link also removes what is set up in the account. */
  readonly handsOver: boolean
  readonly brandName: string
  readonly link: string
  readonly language: MailLanguage
}

export function linkMail({ to, name, handsOver, brandName: brand, link, language }: LinkMail): Mail {
  const { subject, text } = mailTexts(language).passwordLink({ brand, name, link, minutes: linkMinutes, handsOver })
  return { to, subject, text: text.join('\n\n') }
}
