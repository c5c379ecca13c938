// The rows in a provider's response, whatever its shape, so that a test can spoil one or write all numbers in another form.
import { indiaTime, parseIndiaTime } from '#shared/base/india-time.ts'
import type { SourceName } from '../../feed.ts'

export const rowFields = ['open', 'high', 'low', 'close', 'volume'] as const

export type RowField = (typeof rowFields)[number] | 'time'

export interface ProviderRow {
  readonly timeMs: number
  get(field: RowField): unknown
  set(field: RowField, value: unknown): void
  /** Writes an instant as the provider does. */
  setTime(ms: number): void
  /** Replaces the row by null. */
  clear(): void
}

type Body = Record<string, never>
type Cells = Record<string | number, unknown>

interface Shape {
  /** The list that has the rows; undefined if the response is another one. */
  readonly list: (body: Body) => unknown[] | undefined
  readonly places: Readonly<Record<RowField, string | number>>
  readonly read: (time: unknown) => number
  readonly write: (ms: number) => unknown
}

const seconds = { read: (time: unknown) => Number(time) * 1000, write: (ms: number) => ms / 1000 }
const inIndia = { read: (time: unknown) => parseIndiaTime(String(time)), write: (ms: number) => `${indiaTime(ms).replace(' ', 'T')}+0530` }
const inUtc = {
  read: (time: unknown) => Date.parse(`${String(time).replace(' ', 'T')}Z`),
  write: (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' '),
}
const named = { open: 'open', high: 'high', low: 'low', close: 'close', volume: 'volume' } as const
const inOrder = { time: 0, open: 1, high: 2, low: 3, close: 4 } as const
const listOf = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? (value as unknown[]) : undefined)

const shapes: Readonly<Partial<Record<SourceName, Shape>>> = {
  binance: { list: listOf, places: { ...inOrder, volume: 5 }, read: Number, write: (ms) => ms },
  coinbase: { list: listOf, places: { time: 0, low: 1, high: 2, open: 3, close: 4, volume: 5 }, ...seconds },
  kraken: {
    list: ({ result }: { result?: object }) => Object.values(result ?? {}).find((value) => Array.isArray(value)) as unknown[] | undefined,
    places: { ...inOrder, volume: 6 },
    ...seconds,
  },
  'twelve-data': { list: ({ values }: { values?: unknown }) => listOf(values), places: { ...named, time: 'datetime' }, ...inUtc },
  kite: {
    list: ({ data }: { data?: { candles?: unknown } }) => listOf(data?.candles),
    places: { ...inOrder, volume: 5 },
    ...inIndia,
  },
  openalgo: { list: ({ data }: { data?: unknown }) => listOf(data), places: { ...named, time: 'timestamp' }, ...seconds },
}

/** Changes the rows of a response; text without rows stays as it is. */
export function changeRows(source: SourceName, text: string, change: (row: ProviderRow) => void): string {
  const body = JSON.parse(text) as Body
  if (source === 'yahoo') changeColumns(body, change)
  else changeList(shapes[source], body, change)
  return JSON.stringify(body)
}

function changeList(shape: Shape | undefined, body: Body, change: (row: ProviderRow) => void): void {
  const rows = shape?.list(body)
  if (shape === undefined || rows === undefined) return
  for (const [index, row] of rows.entries()) {
    const cells = row as Cells
    const set = (field: RowField, value: unknown): void => void (cells[shape.places[field]] = value)
    change({
      timeMs: shape.read(cells[shape.places.time]),
      get: (field) => cells[shape.places[field]],
      set,
      setTime: (ms) => set('time', shape.write(ms)),
      clear: () => void (rows[index] = null),
    })
  }
}

function changeColumns(body: Body, change: (row: ProviderRow) => void): void {
  const { chart } = body as { chart?: { result?: { timestamp?: unknown[]; indicators: { quote: Record<string, unknown[]>[] } }[] } }
  const result = chart?.result?.[0]
  const columns = result?.indicators.quote[0]
  if (result?.timestamp === undefined || columns === undefined) return
  const stamps = result.timestamp
  for (const [index, stamp] of stamps.entries()) {
    const columnOf = (field: RowField): unknown[] => (field === 'time' ? stamps : (columns[field] ?? []))
    change({
      timeMs: Number(stamp) * 1000,
      get: (field) => columnOf(field)[index],
      set: (field, value) => void (columnOf(field)[index] = value),
      setTime: (ms) => void (stamps[index] = ms / 1000),
      clear: () => void (stamps[index] = null),
    })
  }
}

/** Repeats the last row of a response until it has the given number; text without rows stays as it is. */
export function repeatRows(source: SourceName, text: string, count: number): string {
  const body = JSON.parse(text) as Body
  const { chart } = body as { chart?: { result?: { timestamp?: unknown[] }[] } }
  const rows = (source === 'yahoo' ? chart?.result?.[0]?.timestamp : shapes[source]?.list(body)) ?? []
  const last: unknown = rows.at(-1)
  if (last !== undefined) for (let length = rows.length; length < count; length += 1) rows.push(last)
  return JSON.stringify(body)
}
