// Tells when a pane of a chart comes, goes or changes its height: the legend of each study stands at the top of its pane.

/** `host` holds a chart of the library, which lays its panes out as rows of a table, one picture later than it is told of them. */
export function paneHeights(host: HTMLElement, onChange: () => void): { stop(): void } {
  const table = host.querySelector('table')
  if (table === null) throw new Error('The chart has no panes')
  const heights = new ResizeObserver(onChange)
  const rows = new MutationObserver(watch)
  rows.observe(table, { childList: true })
  watch()

  function watch(): void {
    heights.disconnect()
    for (const row of table?.rows ?? []) heights.observe(row)
  }

  return {
    stop() {
      rows.disconnect()
      heights.disconnect()
    },
  }
}
