// The mail with the link for a forgotten password.
import { mailTexts, type MailLanguage } from '#server/mail/mail-texts.ts'
import type { Mail } from '#server/mail/mailer.ts'

/** Lifetime of a link. */
export const linkMinutes = 30

export function linkMail(about: { to: string; name: string | undefined; brandName: string; link: string; language: MailLanguage }): Mail {
  const { to, name, brandName: brand, link } = about
  const { subject, text } = mailTexts(about.language).passwordLink({ brand, name, link, minutes: linkMinutes })
  return { to, subject, text: text.join('\n\n') }
}
