// Sentences of refusals that belong to no feature.
export const httpText = {
  badRequest: 'The request could not be understood',
  forbidden: 'You do not have permission to do this',
  premiumRequired: 'Premium user required',
  foreignOrigin: 'Requests from other sites are not accepted',
  notFound: 'Not found',
  methodNotAllowed: 'This method is not allowed here',
  tooLarge: 'The request is too large',
  unsupportedMedia: 'Only JSON is accepted',
  tooMany: 'Too many requests. Please slow down.',
  keyReused: 'This Idempotency-Key was used for another request',
  stillRunning: 'The same request is still being worked on',
  internal: 'Something went wrong on our side. Please try again.',
  busy: 'The server is busy. Please try again in a moment.',
  starting: 'Starting up. Please try again in a moment.',
  invalidEndpoint: 'Invalid API endpoint',
} as const
