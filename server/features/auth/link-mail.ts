// The mail with the link for a forgotten password.
import type { Mail } from '#server/mail/mailer.ts'

/** Lifetime of a link. */
export const linkMinutes = 30

export function linkMail(about: { to: string; name: string; brandName: string; link: string }): Mail {
  return {
    to: about.to,
    subject: `${about.brandName}: set a new password`,
    text: [
      `Hello ${about.name},`,
      `a new password was requested for your ${about.brandName} account. Open this link to set it:`,
      about.link,
      `It works once, for ${linkMinutes} minutes. If it was not you, do nothing: your password stays as it is.`,
    ].join('\n\n'),
  }
}
