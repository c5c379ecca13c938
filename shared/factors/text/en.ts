// Texts of two-factor sign-in: code entry, account page, resets.
import { texts } from '#shared/text/texts.ts'

export const factorsText = texts('factors', {
  enterCode: 'Enter your code',
  codeWrong: 'This code is wrong or has been used. Enter the newest code of your app.',
  codeShape: 'Enter the 6 digits of your app, or a recovery code.',
  challengeEnded: 'This sign-in has expired. Enter your password again.',
  tooManyCodes: 'Too many wrong codes. Please try again later, or use a recovery code.',
  unavailable: 'Codes of authenticator apps cannot be checked right now. Use a recovery code, or contact support.',
  setUpFirst: 'Set up two-factor sign-in first',
  setupEnded: 'This setup has expired. Start again.',
  alreadyRequired: 'Admins need two-factor sign-in. Add another method before you remove this one.',
  none: 'Two-factor sign-in is not set up for this account',
  ownReset: 'You cannot reset your own two-factor sign-in. Use your account page.',
  added: 'Two-factor sign-in is on',
  removed: 'Authenticator app removed',
  wasReset: 'Two-factor sign-in is reset',

  codeIntro: 'Open your authenticator app and enter the 6-digit code for this site.',
  codeLabel: 'Code',
  recoveryIntro: 'Enter one of the recovery codes that you saved. Each works once.',
  recoveryLabel: 'Recovery code',
  toRecovery: 'Use a recovery code',
  toApp: 'Use a code from your app',
  codeSubmit: 'Sign in',
  codeBusy: 'Checking...',
  codeBack: 'Back to sign in',
  codeFailed: 'The code could not be checked. Please try again.',

  title: 'Two-factor sign-in',
  note: 'A second step after your password. Someone who learns your password cannot sign in with it alone.',
  loadFailed: "Couldn't load your two-factor settings.",
  off: 'Off',
  app: 'Authenticator app',
  appOff: 'Codes from an app such as Google Authenticator, Aegis or 1Password.',
  appOn: (when: string) => `On since ${when}`,
  appAdd: 'Set up authenticator app',
  appReplace: 'Move to another phone',
  appRemove: 'Remove',
  appRemoveTitle: 'Remove the authenticator app?',
  appRemoveText: 'Without another method, your password alone opens the account again.',
  appRemoveBusy: 'Removing...',
  actionFailed: 'That did not work. Please try again.',

  setupTitle: 'Set up authenticator app',
  setupScan: 'Scan this QR code with your authenticator app.',
  setupQr: 'QR code for your authenticator app',
  setupKey: 'Or enter this key by hand:',
  setupOpen: 'Open in an app on this device',
  setupCode: 'Code of the app',
  setupSubmit: 'Turn on',
  setupBusy: 'Checking...',
  setupNote: 'All your other sessions end when you turn it on.',

  codesTitle: 'Recovery codes',
  codesLeft: (count: number) => (count === 1 ? '1 of 10 left' : `${count} of 10 left`),
  codesNote: 'Each code signs you in once when you do not have your phone.',
  codesNew: 'New recovery codes',
  codesNewTitle: 'Make new recovery codes?',
  codesNewText: 'Your present codes stop working.',
  codesSave: 'Save these codes now. They are not shown again. Keep them apart from your password.',
  codesCopy: 'Copy',
  codesCopied: 'Recovery codes copied',
  codesDownload: 'Download',
  codesFile: 'recovery-codes.txt',
  codesDone: 'I have saved them',

  passkey: 'Passkeys',
  passkeyNote: 'Fingerprint, face, PIN or a security key of your device, in place of a code.',
  passkeyMissing: 'This browser has no passkeys.',
  passkeyAdd: 'Add passkey',
  passkeyRemoveOf: (name: string) => `Remove the passkey ${name}`,
  passkeyRemoveTitle: 'Remove this passkey?',
  passkeyUsed: (added: string, used: string | null) =>
    used === null ? `Added ${added}, not used yet` : `Added ${added}, last used ${used}`,
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
  passkeyRejected: 'This passkey was not accepted. Try again.',
  passkeyFailed: 'Your browser did not give a passkey. Try again, or use a code.',
  passkeysFull: 'You can add up to 10 passkeys. Remove one first.',
  passkeysOff: 'Passkeys are not available on this site.',
  toPasskey: 'Use a passkey',

  requiredTitle: 'Set up two-factor sign-in',
  requiredText: 'Admin accounts need a second step at sign-in. Set it up to continue.',

  reset: 'Reset two-factor sign-in',
  resetNote: 'For a user who lost the phone and the recovery codes. Make sure that it is really this user who asks.',
  resetQuestion: (name: string) =>
    `Authenticator app, passkeys and recovery codes of ${name} are removed, and all sessions end. The password alone opens the account until it is set up again.`,
  resetConfirm: 'Reset',
})

// Texts of emails about second factors.
const removedBy = {
  owner: 'It was removed on the account page.',
  admin: 'Support removed all its methods and ended all sessions.',
} as const

/** Who removed a factor. */
export type RemovedBy = keyof typeof removedBy

export interface About {
  readonly brand: string
  readonly name: string
}

export interface Made extends About {
  readonly at: string
  readonly address: string
}

export const factorMailText = {
  added: ({ brand, name, factor, at, address }: Made & { factor: string }) => ({
    subject: `${brand}: ${factor} added`,
    text: [
      `Hello ${name},`,
      `a second step was added to the sign-in of your ${brand} account: ${factor}.`,
      `${at}\nNetwork address ${address}`,
      'If this was not you, change your password now, remove it on your account page and contact support.',
    ],
  }),
  removed: ({ brand, name, factor, by }: About & { factor: string; by: RemovedBy }) => ({
    subject: `${brand}: ${factor} removed`,
    text: [
      `Hello ${name},`,
      `your ${brand} account no longer has: ${factor}. ${removedBy[by]}`,
      'If this was not you, change your password now and contact support.',
    ],
  }),
  codesMade: ({ brand, name, at, address }: Made) => ({
    subject: `${brand}: new recovery codes`,
    text: [
      `Hello ${name},`,
      `new recovery codes were made for your ${brand} account. The former ones no longer work.`,
      `${at}\nNetwork address ${address}`,
      'If this was not you, change your password now, make new codes on your account page and contact support.',
    ],
  }),
} as const
