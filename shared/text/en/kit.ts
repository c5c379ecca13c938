// Texts of the UI kit.
export const kitText = {
  loading: 'Loading',
  loadFailed: 'This could not be loaded.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  confirm: 'Confirm',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
  previous: 'Previous',
  next: 'Next',
  pagination: 'Pages of the list',
  page: (page: number) => `Page ${page}`,
  yourPassword: 'Your password',
  passwordEmpty: 'Please enter your password',
} as const
