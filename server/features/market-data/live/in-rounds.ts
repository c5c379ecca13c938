// Sends many pages away in rounds, so that those before are back elsewhere when the next ones come.

/** Two hundred a second with `roundPauseMs`: what a busy machine can take back without delay. */
const roundSizeMin = 20
/** Bounds the time to five seconds. */
const roundsMax = 50
export const roundPauseMs = 100

/** Starts `send` for all items, with pauses between rounds; resolves when all of them are done. */
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
