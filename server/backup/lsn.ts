// Positions in PostgreSQL's write-ahead log (WAL), and the names of its segment files.

/** Byte position in the WAL. */
export type Lsn = bigint

/** Of `initdb` without another size. */
export const segmentBytes = 16n * 1024n * 1024n

/** @throws Error for a text that is not like `0/16B3748` */
export function parseLsn(text: string): Lsn {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error(`"${text}" is no WAL position`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** As PostgreSQL writes it, for example `0/16B3748`. */
export const formatLsn = (lsn: Lsn): string => `${hex(lsn >> 32n)}/${hex(lsn & 0xff_ff_ff_ffn)}`

/** First position of the segment that contains `lsn`. */
export const segmentStart = (lsn: Lsn): Lsn => lsn - (lsn % segmentBytes)

/** File name of the segment that contains `lsn`. */
export function segmentName(timeline: number, lsn: Lsn): string {
  const perHigh = 0x1_00_00_00_00n / segmentBytes
  const number = lsn / segmentBytes
  return [BigInt(timeline), number / perHigh, number % perHigh].map((part) => hex(part).padStart(8, '0')).join('')
}

const hex = (value: bigint): string => value.toString(16).toUpperCase()
