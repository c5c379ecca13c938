// Texts about UDF keys: account page, errors, and the email about a new one.
import { texts } from '../texts.ts'

export const udfKeysText = texts('udfKeys', {
  title: 'UDF keys',
  note: 'Read-only access to your prices for charting programs that speak UDF, such as TradingView Advanced Charts.',
  none: 'No keys yet.',
  loading: 'Loading your keys',
  loadFailed: "Couldn't load your keys.",
  create: 'Create key',
  createBusy: 'Creating...',
  createTitle: 'Create a UDF key',
  createText: 'A key reads prices with your rights and can do nothing else.',
  name: 'Name',
  nameMissing: 'Enter a name.',
  nameTooLong: 'Use 60 characters or fewer.',
  full: 'You can have up to 5 keys. Revoke one first.',
  created: 'UDF key created',
  createdTitle: 'Your new key',
  createdText: 'Save this address now. It is not shown again. Anyone who has it can read prices as you.',
  baseUrl: 'Base URL for your charting program',
  copy: 'Copy',
  copied: 'Base URL copied',
  done: 'I have saved it',
  used: (created: string, used: string | null) =>
    used === null ? `Created ${created}, not used yet` : `Created ${created}, last used ${used}`,
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke the key ${name}`,
  revokeTitle: 'Revoke this key?',
  revokeText: (name: string) => `Programs that use ${name} lose access at once.`,
  revoked: 'UDF key revoked',
  notFound: 'This key does not exist',
  actionFailed: 'That did not work. Please try again.',
  rejected: 'This UDF key is not valid',
})

export const udfKeyMail = (about: { brand: string; name: string; key: string; at: string; address: string }) => ({
  subject: `${about.brand}: UDF key created`,
  text: [
    `Hello ${about.name},`,
    `a key that reads prices was created for your ${about.brand} account: ${about.key}.`,
    `${about.at}\nNetwork address ${about.address}`,
    'If this was not you, change your password now and revoke the key on your account page.',
  ],
})
