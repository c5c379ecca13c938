// Processes thousands of sockets in slices, so that other requests run in between, or in rounds with pauses.

const sliceSize = 500

/** Iterates over a list: the first slice immediately, each later one in its own turn of the event loop. */
export function inSlices<Item>(items: readonly Item[], run: (item: Item) => void, from = 0): void {
  const end = Math.min(items.length, from + sliceSize)
  for (let index = from; index < end; index += 1) run(items[index] as Item)
  if (end < items.length) setImmediate(() => inSlices(items, run, end))
}

/** Two hundred a second with `roundPauseMs`: what a busy machine can take back without delay. */
const roundSizeMin = 20
/** Bounds the time to five seconds. */
const roundsMax = 50
export const roundPauseMs = 100

/** Sends many pages away in rounds, so that those before are back elsewhere when the next ones come; resolves when all are done. */
export async function inRounds<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<void>,
  pause: () => Promise<void>,
): Promise<void> {
  const size = Math.max(roundSizeMin, Math.ceil(items.length / roundsMax))
  const sent: Promise<void>[] = []
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await pause()
    sent.push(...items.slice(from, from + size).map(send))
  }
  await Promise.all(sent)
}
