// Judges the price sources of a process.
/** `unknown`: another process makes the prices, or no source was asked yet. `off`: no real source is set up. */
export type PricesState = 'ok' | 'failing' | 'unknown' | 'off'

interface SourceState {
  /** Generated prices are not. */
  readonly isReal: boolean
  readonly stale: number
  readonly failure: string | null
  readonly isKnown: boolean
}

export function pricesState(states: readonly SourceState[]): PricesState {
  if (states.some(({ stale, failure }) => stale > 0 || failure !== null)) return 'failing'
  const real = states.filter(({ isReal }) => isReal)
  if (real.length === 0) return 'off'
  return real.some(({ isKnown }) => isKnown) ? 'ok' : 'unknown'
}
