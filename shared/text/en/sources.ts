// Texts about a single price source: why it is not used, or its errors.
import { texts } from '../texts.ts'

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
