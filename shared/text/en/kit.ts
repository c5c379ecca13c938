// Words of the kit's own controls, wherever they stand.
export const kitText = {
  loading: 'Loading',
  loadFailed: 'This could not be loaded.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  confirm: 'Confirm',
  close: 'Close',
  previous: 'Previous',
  next: 'Next',
  pagination: 'Pages of the list',
  page: (page: number) => `Page ${page}`,
  stepUpTitle: 'Confirm your password',
  yourPassword: 'Your password',
  passwordEmpty: 'Please enter your password',
} as const
