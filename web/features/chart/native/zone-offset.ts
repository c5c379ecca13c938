// UTC offset of a time zone, cached because it is looked up thousands of times in a row.
const blockMs = 86_400_000

/** Milliseconds to add to an instant to read the wall clock of an IANA zone as if it were UTC. */
export function zoneOffset(zone: string): (ms: number) => number {
  const read = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
  const known = new Map<number, number>()
  return (ms) => {
    const block = Math.floor(ms / blockMs)
    const found = known.get(block)
    if (found !== undefined) return Number.isNaN(found) ? read(ms) : found
    const [start, end] = [read(block * blockMs), read((block + 1) * blockMs)]
    // On a day with a clock change each instant is looked up separately.
    known.set(block, start === end ? start : Number.NaN)
    return start === end ? start : read(ms)
  }
}
