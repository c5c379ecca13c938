// Format of a recording of one provider: its traffic, the times, and the adapter's output; one JSON object per line, no keys.
import type { Candle } from '#shared/candles/candle.ts'
import { sourceNames, type FeedState, type HistoryStep, type SourceName, type Trade } from '../../feed.ts'

export interface RecordingHead {
  readonly kind: 'recording'
  readonly source: SourceName
  readonly symbol: string
  readonly startMs: number
}

/** Traffic between provider and adapter. Connections are numbered from 1. */
export type Exchanged =
  | {
      readonly kind: 'answer'
      readonly atMs: number
      readonly method: string
      /** Without the query, which depends on the time. */
      readonly path: string
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  /** A connection request; 101 if it was opened. */
  | { readonly kind: 'dial'; readonly atMs: number; readonly line: number; readonly status: number }
  | { readonly kind: 'sent'; readonly atMs: number; readonly line: number; readonly text: string }
  | { readonly kind: 'frame'; readonly atMs: number; readonly line: number; readonly text?: string; readonly base64?: string }
  | { readonly kind: 'cut'; readonly atMs: number; readonly line: number; readonly code: number }

/** Requests to the adapter. */
export type Asked =
  | { readonly kind: 'ask'; readonly atMs: number; readonly step: HistoryStep; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'watch'; readonly atMs: number }
  | { readonly kind: 'end'; readonly atMs: number }

/** Output of the adapter, which is compared in a replay. */
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

/** The text of a file. @throws Error if it would contain a secret */
export function writeRecording({ head, entries }: Recording, secrets: readonly string[]): string {
  const text = [head, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('')
  if (secrets.some((secret) => text.includes(secret))) throw new Error('A key would get into the recording, so nothing is written.')
  return text
}

/** Parses the output of `writeRecording`. @throws Error if the text is not a recording */
export function readRecording(text: string): Recording {
  const [head, ...entries] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordingHead | RecordedEntry)
  if (head?.kind !== 'recording' || !sourceNames.includes(head.source)) throw new Error('The file is no recording of a source.')
  return { head, entries: entries as RecordedEntry[] }
}

/** Replaces each secret with KEY, both plain and URL-encoded. */
export function scrub(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((form) => form !== '')
  return forms.toSorted((one, other) => other.length - one.length).reduce((clean, form) => clean.replaceAll(form, 'KEY'), text)
}
