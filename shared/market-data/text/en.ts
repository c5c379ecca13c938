// Texts about price sources and missing prices.
import { texts } from '#shared/text/texts.ts'

export const liveText = texts('live', {
  starting: 'Looking for prices.',
})

/** Sentences that only the server sends: the browser does not load them. */
export const liveServerText = texts('live', {
  noSource: 'No price source is set up for this instrument.',
  needsLicence: 'A price source is set up, but it may only be shown under a licence.',
  sourceSilent: 'The price source does not answer.',
  hubAway: 'The price service does not answer.',
  unreadable: 'Candles cannot be read at the moment.',
  noHello: 'The connection was not signed in in time.',
  tooManyConnections: 'Too many charts are open with this account.',
  tooManySubscriptions: 'Too many instruments are open at once.',
  tooManyMessages: 'Too many messages.',
})

/** Texts about a single price source: why it is not used, or its errors. */
export const sourceText = texts('sources', {
  /** An error of a source, prefixed with its title. */
  blame: (title: string, reason: string) => `${title}: ${reason}`,
  together: (reasons: readonly string[]) => reasons.join('; '),
  notLive: (seconds: number) => `no connection within ${seconds} seconds`,
  noHistory: 'connected, but the missing candles do not come',
  unreachable: 'cannot be reached',
  cut: 'the connection is cut',
  silent: 'connected, but no prices come',
})
