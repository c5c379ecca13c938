// How far a zone's wall clock is from UTC, asked thousands of times in a row.
const blockMs = 86_400_000

/** Milliseconds to be added to an instant to read the wall clock of an IANA zone off it as if it were UTC. */
export function zoneOffset(zone: string): (ms: number) => number {
  const read = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
  const known = new Map<number, number>()
  return (ms) => {
    const block = Math.floor(ms / blockMs)
    const found = known.get(block)
    if (found !== undefined) return Number.isNaN(found) ? read(ms) : found
    const [start, end] = [read(block * blockMs), read((block + 1) * blockMs)]
    // On a day on which the clock jumps each instant is asked for itself.
    known.set(block, start === end ? start : Number.NaN)
    return start === end ? start : read(ms)
  }
}
