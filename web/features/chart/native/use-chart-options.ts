// Options of the Tezi chart; in a multi-chart layout each chart may have its own style and scale.
import { useMemo } from 'react'
import type { Workspace } from '#shared/workspace/workspace.ts'
import { changePreferences, preferencesNow, usePreferences } from '#web/lib/preferences.ts'
import { useCell } from '../cell-context.ts'
import { candleStyles, chartOptionsOf, priceScales, type ChartOptions } from './chart-options.ts'

let stored: Workspace['options'] | undefined
let known: ChartOptions = chartOptionsOf(null)

export function useChartOptions(): ChartOptions {
  const options = usePreferences(({ workspace }) => read(workspace.options))
  const cell = useCell()
  const style = candleStyles.find((one) => one === cell?.style) ?? options.style
  const scale = priceScales.find((one) => one === cell?.scale) ?? options.scale
  return useMemo(() => ({ ...options, style, scale }), [options, style, scale])
}

export function useChooseOptions(): (change: Partial<ChartOptions>) => void {
  const cell = useCell()
  return ({ style, scale, ...shared }) => {
    const own = { ...(style === undefined ? {} : { style }), ...(scale === undefined ? {} : { scale }) }
    cell?.choose(own)
    const options = { ...read(preferencesNow().workspace.options), ...shared, ...(cell === undefined ? own : {}) }
    changePreferences((before) => ({ ...before, options }))
  }
}

/** Returns the same object until something changes. */
function read(options: Workspace['options']): ChartOptions {
  if (options !== stored) {
    stored = options
    known = chartOptionsOf(options)
    // The style sheet has the colours of each option.
    document.documentElement.dataset['candles'] = known.colours
  }
  return known
}
