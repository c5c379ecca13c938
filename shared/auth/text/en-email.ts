// Texts about the account's email address: confirmation, change, and the related emails.
import { texts } from '#shared/text/texts.ts'

export const emailText = texts('email', {
  unconfirmed: 'Your email address is not confirmed yet. Open the link in our mail.',
  endsOn: (day: string) => `Without that your account is erased on ${day}.`,
  sendAgain: 'Send again',
  sending: 'Sending…',
  sent: 'We have sent you a link. It works for 24 hours.',
  failed: 'The mail could not be sent. Please try again.',
  confirmTitle: 'Confirm your email address',
  confirmIntro: 'Confirm that you receive mail at this address.',
  confirmIncomplete: 'This link is incomplete. Open it from the mail again, or ask for a new one on your account page.',
  confirmSubmit: 'Confirm',
  confirmBusy: 'Confirming…',
  toAccount: 'Go to your account',
  confirmed: 'Your email address is confirmed',
  linkInvalid: 'This link has been used or is too old. Ask for a new one on your account page.',
  changeTitle: 'Change email',
  newEmail: 'New email',
  password: 'Password',
  changeSubmit: 'Send link',
  changeSent: 'We have sent a link to the new address. Your email changes when you open it.',
  sameEmail: 'This is your email already',
})

/** Emails: subject and paragraphs; `brand` is the name of the site. */
export const emailMails = {
  /** Without a name: a stranger may have typed any text as it. */
  confirm: (about: { brand: string; link: string; hours: number }) => ({
    subject: `${about.brand}: confirm your email address`,
    text: [
      'Hello,',
      `open this link to confirm that this is the address of your ${about.brand} account:`,
      about.link,
      `It works once, for ${about.hours} hours. If you have no account with us, ignore this mail.`,
    ],
  }),
  changeAsked: (about: { brand: string; name: string }) => ({
    subject: `${about.brand}: your email address is about to change`,
    text: [
      `Hello ${about.name},`,
      `a new email address was entered for your ${about.brand} account. It replaces this one once its owner confirms it.`,
      'If it was not you, sign in, change your password and end the other sessions.',
    ],
  }),
  passwordLink: (about: { brand: string; name: string | undefined; link: string; minutes: number; handsOver: boolean }) => ({
    subject: `${about.brand}: set a new password`,
    text: [
      about.name === undefined ? 'Hello,' : `Hello ${about.name},`,
      `a new password was requested for your ${about.brand} account. Open this link to set it:`,
      about.link,
      ...(about.handsOver
        ? [
            'It also removes what is set up in the account so far, because others may have done that: two-factor sign-in, the connection to a broker, chart settings, layouts and drawings. All devices are signed out.',
          ]
        : []),
      `It works once, for ${about.minutes} minutes. If it was not you, do nothing: your password stays as it is.`,
    ],
  }),
  changed: (about: { brand: string; name: string }) => ({
    subject: `${about.brand}: your email address has changed`,
    text: [
      `Hello ${about.name},`,
      `the email address of your ${about.brand} account has changed. Mail about it no longer goes to the former address.`,
      'If it was not you, contact support.',
    ],
  }),
  passwordChanged: (about: { brand: string; name: string; at: string }) => ({
    subject: `${about.brand}: your password has changed`,
    text: [
      `Hello ${about.name},`,
      `the password of your ${about.brand} account was changed on ${about.at}.`,
      'If it was not you, set a new one with "Forgot password?" or contact support.',
    ],
  }),
  newDevice: (about: { brand: string; name: string; at: string; device: string; address: string }) => ({
    subject: `${about.brand}: sign-in from a new device`,
    text: [
      `Hello ${about.name},`,
      `your ${about.brand} account was opened on a device that we have not seen before:`,
      `${about.at}\n${about.device}\nNetwork address ${about.address}`,
      'If it was not you, change your password and end the other sessions on your account page.',
    ],
  }),
}

/** Texts of the development page that shows sent emails. */
export const mailOutboxText = texts('mailOutbox', {
  title: 'Mail outbox',
  intro: 'Mails that this development server would have sent, newest first. They are kept until it stops, the last 100 of them.',
  empty: 'No mail has been sent yet.',
  to: (address: string) => `To ${address}`,
})
