// Error messages that belong to no feature.
import { texts } from '#shared/text/texts.ts'

export const httpText = texts('http', {
  requestFailed: (status: number) => `Request failed (${status})`,
  invalidEndpoint: 'Invalid API endpoint',
})

/** Sentences that only the server sends: the browser does not load them. */
export const httpServerText = texts('http', {
  badRequest: 'The request could not be understood',
  fieldMissing: 'This field is required',
  fieldInvalid: 'This value cannot be used here',
  /** Any sentence, in tests of pages. */
  invalidField: (reason: string) => reason,
  forbidden: 'You do not have permission to do this',
  premiumRequired: 'Premium user required',
  foreignOrigin: 'Requests from other sites are not accepted',
  notFound: 'Not found',
  methodNotAllowed: 'This method is not allowed here',
  tooLarge: 'The request is too large',
  unsupportedMedia: 'Only JSON is accepted',
  tooMany: 'Too many requests. Please slow down.',
  keyReused: 'This Idempotency-Key was used for another request',
  stillRunning: 'This request is still being processed',
  internal: 'Something went wrong on our side. Please try again.',
  busy: 'The server is busy. Please try again in a moment.',
  unavailable: 'The service is unavailable at the moment. Please try again soon.',
  starting: 'Starting up. Please try again in a moment.',
  stopping: 'The server is stopping. Please try again in a moment.',
})
