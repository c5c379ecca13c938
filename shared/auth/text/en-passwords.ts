// Texts of the admin area and of passwords; texts of the specification are verbatim.
import { texts } from '#shared/text/texts.ts'

export const adminText = texts('admin', {
  searchPlaceholder: 'Search by name, email, UTR',
  passwordsDiffer: 'Passwords do not match',
  fillAllFields: 'Please fill all the fields',
  passwordUpdated: 'Password updated successfully',
  passwordUpdateFailed: 'An error occurred while updating password',
  noSuchUser: 'There is no such user',
  passwordOwn: 'Change your own password on the account page. It asks for the current one.',
  confirmPasswordTitle: 'Confirm your password',
  confirmPassword: 'Please confirm your password to continue',
  confirmed: 'Password confirmed',
  passwordWrong: 'The password is wrong',
  passwordAdminShort: 'The password of an admin must be at least 12 characters long',
  linkSent: 'If there is an account with this email, a link is on its way',
  linkInvalid: 'This link has expired or was used already. Please ask for a new one.',
  addressFreed: 'The address is free again',
  addressKept: 'This account is confirmed, belongs to an admin, or has payments, premium or an open request. Its address cannot be freed.',
  mailMissing: 'Mail is not set up here. Please contact support.',
})
