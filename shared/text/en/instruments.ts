// Validation messages of instrument settings, shared with the server.
import { texts } from '../texts.ts'

export const instrumentsText = texts('instruments', {
  symbolInvalid: 'Enter a TradingView symbol such as BSE:SENSEX.',
  titleMissing: 'Enter what the substitute is.',
  titleLong: 'Use at most 60 characters.',
  symbolTwice: 'Each symbol can be used once.',
  freeHidden: 'The free chart cannot be hidden.',
  saved: 'Instrument saved',
  editedMeanwhile: 'This instrument was changed meanwhile. Reload and try again.',
})

/** Sentences that only the server sends: the browser does not load them. */
export const instrumentsServerText = texts('instruments', {
  unknown: 'Not found',
})
