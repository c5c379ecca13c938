// Work on thousands of sockets in slices, so that other requests get their turn in between.

const sliceSize = 500

/** Runs over a list: the first slice at once, each later one in a turn of the event loop of its own. */
export function inSlices<Item>(items: readonly Item[], run: (item: Item) => void, from = 0): void {
  const end = Math.min(items.length, from + sliceSize)
  for (let index = from; index < end; index += 1) run(items[index] as Item)
  if (end < items.length) setImmediate(() => inSlices(items, run, end))
}
