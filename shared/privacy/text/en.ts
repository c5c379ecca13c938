// Texts of consent, privacy settings, and passwords set by an admin. The notice itself: en-notice.ts.
import { texts } from '#shared/text/texts.ts'

export const privacyText = texts('privacy', {
  title: 'Privacy',
  noticeTitle: 'Privacy notice',
  back: 'Back to the homepage',

  noticeLink: 'Read the privacy notice',
  consentTitle: 'Age and consent',
  adultLabel: 'I am 18 or older.',
  // Does not repeat labels of the form, so that a search by label finds the field.
  agreementLabel: 'I agree that my data is used as the privacy notice says.',
  consentItems: (brand: string) =>
    `${brand} keeps your name, email and phone number to run your account, what you set and draw on the charts to show it on every device, payment references to find your payments, and sign-ins with address and browser to protect the account.`,
  consentHint: 'You can take your consent back at any time on the account page.',
  adultMissing: 'Please confirm that you are 18 or older',
  agreementMissing: 'Please read the privacy notice and agree to it',
  noticeChanged: 'The privacy notice has changed. Please reload the page and read it again.',

  yourData: 'Your data',
  yourDataNote: 'You can see, download and erase what we keep about you.',
  stateFailed: "Couldn't load your consent status.",
  consentGiven: (when: string, version: string) => `You agreed to the notice of ${version} on ${when}.`,
  consentMissing: 'We have no record of your consent to the present privacy notice. Please read it and decide.',
  consentWithdrawn: (when: string) =>
    `You have withdrawn your consent. Charts and premium are closed, and your account is erased on ${when} unless you agree again.`,
  consentForm: 'Consent',
  agree: 'Agree',
  agreed: 'Your consent is recorded',
  notNow: 'Not now',
  review: 'Review',
  consentBanner: 'Your consent',
  export: 'Download my data',
  exportNote: 'One JSON file with everything that is stored about you.',
  exportFailed: 'Your data could not be downloaded. Please try again.',
  exportTooOften: 'You have downloaded your data several times already. Please try again later.',
  withdraw: 'Withdraw consent',
  withdrawNote: 'Without your consent we cannot run your account.',
  withdrawQuestion:
    'Charts and premium close at once. After 30 days the account is erased, unless you agree again before. Paid time runs on meanwhile.',
  withdrawn: 'Your consent is withdrawn',
  erase: 'Erase account',
  eraseNote: 'At once and for good. Paid time that is left is lost; for a refund write to support first.',
  eraseTitle: 'Erase your account?',
  eraseText:
    'Name, email, phone number, password, settings, layouts and drawings are deleted now, and every session ends. A payment that waits for a decision counts as declined. Payment references, amounts and decisions stay without your name, as the law on accounts asks.',
  eraseBusy: 'Erasing...',
  eraseFailed: 'The account could not be erased. Please try again.',
  erased: 'Your account is erased',
  lastAdmin: 'You are the only admin. Make another user an admin before you erase this account.',

  temporaryTitle: 'Choose your own password',
  temporaryText: 'Your present password was set by an admin, who knows it. Choose one that only you know to go on.',
  temporaryAdminText: 'You are an admin. Choose a new password of at least 12 characters that only you know to go on.',
  temporarySubmit: 'Save and continue',
  temporaryBusy: 'Saving...',
  temporaryRejected: 'Please choose your own password first',
  temporaryExpired: 'This temporary password has expired. Please ask support for a new one.',
  consentRejected: 'You have withdrawn your consent. Agree again on the account page to go on.',
  signOut: 'Sign Out',
})
