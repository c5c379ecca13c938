// Pages of closed candles that start and end at fixed times, so that a browser may keep them.
import { hash } from 'node:crypto'
import type { MadeChunk } from './chunk-cache.ts'

export interface FixedPage {
  /** Rows in consecutive pieces. */
  readonly pieces: readonly Buffer[]
  /** Changes with the candles; undefined unless all of them are closed and the page ends at a fixed time. */
  readonly edition: string | undefined
  /** The page before it, if that has an edition. */
  readonly older: { readonly toMs: number; readonly edition: string } | undefined
}

/** The edition of consecutive chunks; undefined if one of them is cut or may still change. */
export function editionOf(pieces: readonly { readonly made: MadeChunk; readonly isFixed: boolean }[]): string | undefined {
  if (pieces.length === 0 || pieces.some(({ isFixed }) => !isFixed)) return undefined
  return hash('sha256', pieces.map(({ made }) => made.json().digest()).join(' '))
}
