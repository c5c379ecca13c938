// Whether the first bar of a chart is the first one that its source has, and can be seen.
export interface HistoryStart {
  /** Whether the source has nothing before the first bar. */
  readonly set: (isStart: boolean) => void
  /** The first bar that can be seen, by index. */
  readonly see: (fromIndex: number) => void
  readonly isSeen: () => boolean
}

/** Calls `onChange` as soon as the beginning comes into view or leaves it. */
export function historyStart(onChange: () => void): HistoryStart {
  let isStart = false
  let isFirstSeen = false
  const change = (act: () => void): void => {
    const before = isStart && isFirstSeen
    act()
    if (before !== (isStart && isFirstSeen)) onChange()
  }
  return {
    set: (next) => change(() => (isStart = next)),
    see: (fromIndex) => change(() => (isFirstSeen = fromIndex <= 0)),
    isSeen: () => isStart && isFirstSeen,
  }
}
