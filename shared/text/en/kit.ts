// Texts of the UI kit.
import { texts } from '../texts.ts'

export const kitText = texts('kit', {
  loading: 'Loading',
  loadFailed: 'This could not be loaded.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  confirm: 'Confirm',
  close: 'Close',
  closeMessage: 'Close message',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
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
