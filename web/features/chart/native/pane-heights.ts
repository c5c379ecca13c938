// Notifies when a pane is added, removed or resized: each study's legend is placed at the top of its pane.

/** `host` contains a lightweight-charts chart, which lays out its panes as table rows, one frame after a change. */
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
