// A recording of one provider: what it said, when, and what the adapter made of it; one JSON object a line, without any key.
import type { Candle } from '#shared/market/candles/candle.ts'
import { sourceNames, type FeedState, type HistoryStep, type SourceName, type Trade } from '../../feed.ts'

export interface RecordingHead {
  readonly kind: 'recording'
  readonly source: SourceName
  readonly symbol: string
  readonly startMs: number
}

/** What the provider and the adapter said to each other. Connections are numbered from 1. */
export type Exchanged =
  | {
      readonly kind: 'answer'
      readonly atMs: number
      readonly method: string
      /** Without the query, which depends on the moment. */
      readonly path: string
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  /** A connection was asked for; 101 where it was opened. */
  | { readonly kind: 'dial'; readonly atMs: number; readonly line: number; readonly status: number }
  | { readonly kind: 'sent'; readonly atMs: number; readonly line: number; readonly text: string }
  | { readonly kind: 'frame'; readonly atMs: number; readonly line: number; readonly text?: string; readonly base64?: string }
  | { readonly kind: 'cut'; readonly atMs: number; readonly line: number; readonly code: number }

/** What was asked of the adapter. */
export type Asked =
  | { readonly kind: 'ask'; readonly atMs: number; readonly step: HistoryStep; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'watch'; readonly atMs: number }
  | { readonly kind: 'end'; readonly atMs: number }

/** What it made of all that: this is compared when a recording is played again. */
export type Made =
  | { readonly kind: 'history'; readonly step: HistoryStep; readonly candles: readonly Candle[] }
  | { readonly kind: 'failure'; readonly step: HistoryStep; readonly reason: string }
  | { readonly kind: 'minute'; readonly candle: Candle; readonly isClosed: boolean }
  | { readonly kind: 'trade'; readonly trade: Trade }
  | { readonly kind: 'state'; readonly state: FeedState['kind'] }

export type RecordedEntry = Exchanged | Asked | Made

export interface Recording {
  readonly head: RecordingHead
  readonly entries: readonly RecordedEntry[]
}

const madeKinds: ReadonlySet<string> = new Set<Made['kind']>(['history', 'failure', 'minute', 'trade', 'state'])

export function isMade(entry: RecordedEntry): entry is Made {
  return madeKinds.has(entry.kind)
}

/** The text of a file. @throws Error where a secret would get into it */
export function writeRecording({ head, entries }: Recording, secrets: readonly string[]): string {
  const text = [head, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('')
  if (secrets.some((secret) => text.includes(secret))) throw new Error('A key would get into the recording, so nothing is written.')
  return text
}

/** Reads what `writeRecording` wrote. @throws Error where the text is no recording */
export function readRecording(text: string): Recording {
  const [head, ...entries] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordingHead | RecordedEntry)
  if (head?.kind !== 'recording' || !sourceNames.includes(head.source)) throw new Error('The file is no recording of a source.')
  return { head, entries: entries as RecordedEntry[] }
}

/** Puts the word KEY for each secret, as it is and as it stands in addresses. */
export function scrub(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((form) => form !== '')
  return forms.toSorted((one, other) => other.length - one.length).reduce((clean, form) => clean.replaceAll(form, 'KEY'), text)
}
