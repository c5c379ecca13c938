// Sentences about one source of prices among several: why it is not used, or what is wrong with it.
export const sourceText = {
  /** What a source, by its title, is blamed for. */
  blame: (title: string, reason: string) => `${title}: ${reason}`,
  together: (reasons: readonly string[]) => reasons.join('; '),
  notLive: (seconds: number) => `no connection within ${seconds} seconds`,
  noHistory: 'connected, but the missing candles do not come',
  unreachable: 'cannot be reached',
  cut: 'the connection is cut',
  silent: 'connected, but no prices come',
} as const
