// Texts of the UI kit.
import { texts } from '#shared/text/texts.ts'

export const kitText = texts('kit', {
  loading: 'Loading',
  loadFailed: 'This could not be loaded.',
  partFailed: 'This could not be loaded. Please check your connection and try again.',
  tryAgain: 'Try again',
  retry: 'Retry',
  cancel: 'Cancel',
  confirm: 'Confirm',
  close: 'Close',
  closeMessage: 'Close message',
  notifications: 'Notifications',
  toasts: { ok: 'Done', info: 'Note', warn: 'Warning', danger: 'Error' },
  showPassword: (label: string) => `Show ${label.toLowerCase()}`,
  hidePassword: (label: string) => `Hide ${label.toLowerCase()}`,
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
  needsHttps:
    'This page is open over plain http: others on the network can read what you send. Passkeys and system notifications need https.',
  previous: 'Previous',
  next: 'Next',
  pagination: 'Pages of the list',
  page: (page: number) => `Page ${page}`,
  somethingWrong: 'Something went wrong. Please try again.',
  ageNow: 'now',
  ageMinutes: (minutes: number) => `${minutes} min`,
  ageHours: (hours: number) => `${hours} h`,
  ageDays: (days: number) => `${days} d`,
  yourPassword: 'Your password',
  passwordEmpty: 'Please enter your password',
})
