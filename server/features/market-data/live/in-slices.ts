// Processes thousands of sockets in slices, so that other requests run in between.

const sliceSize = 500

/** Iterates over a list: the first slice immediately, each later one in its own turn of the event loop. */
export function inSlices<Item>(items: readonly Item[], run: (item: Item) => void, from = 0): void {
  const end = Math.min(items.length, from + sliceSize)
  for (let index = from; index < end; index += 1) run(items[index] as Item)
  if (end < items.length) setImmediate(() => inSlices(items, run, end))
}
