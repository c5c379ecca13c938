// Whether the first bar of a chart is the first one of its source, and visible.
export interface HistoryStart {
  /** Whether the source has nothing before the first bar. */
  readonly set: (isStart: boolean) => void
  /** Index of the first visible bar. */
  readonly see: (fromIndex: number) => void
  readonly isSeen: () => boolean
}

/** Calls `onChange` when the start of the data enters or leaves the view. */
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
