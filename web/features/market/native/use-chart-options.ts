// The options of our own chart in this browser, remembered between visits; one chart of several may have a style and a scale of its own.
import { useMemo, useSyncExternalStore } from 'react'
import { adjustments } from '#shared/market/corporate-actions.ts'
import { chartChoices } from '#web/lib/storage.ts'
import { useCell } from '../cell-context.ts'
import { candleColours, candleStyles, priceScales, type ChartOptions } from './chart-options.ts'

const name = 'options'
let keptText: string | undefined
let kept: ChartOptions = parse(undefined)

export function useChartOptions(): ChartOptions {
  const options = useSyncExternalStore(chartChoices.onChange, read)
  const cell = useCell()
  const style = candleStyles.find((known) => known === cell?.style) ?? options.style
  const scale = priceScales.find((known) => known === cell?.scale) ?? options.scale
  return useMemo(() => ({ ...options, style, scale }), [options, style, scale])
}

export function useChooseOptions(): (change: Partial<ChartOptions>) => void {
  const cell = useCell()
  return ({ style, scale, ...shared }) => {
    const own = { ...(style === undefined ? {} : { style }), ...(scale === undefined ? {} : { scale }) }
    cell?.choose(own)
    chartChoices.set(name, JSON.stringify({ ...read(), ...shared, ...(cell === undefined ? own : {}) }))
  }
}

/** The same object until something changes. */
function read(): ChartOptions {
  const text = chartChoices.get(name)
  if (text !== keptText) {
    keptText = text
    kept = parse(text)
    // The style sheet has the colours of each choice.
    document.documentElement.dataset['candles'] = kept.colours
  }
  return kept
}

/** Whatever was stored, each option has one of its values. */
function parse(text: string | undefined): ChartOptions {
  const given = fieldsOf(text)
  return {
    style: oneOf(candleStyles, given['style']),
    scale: oneOf(priceScales, given['scale']),
    colours: oneOf(candleColours, given['colours']),
    hasBreaks: given['hasBreaks'] !== false,
    adjustment: oneOf(adjustments, given['adjustment']),
  }
}

function oneOf<V extends string>(values: readonly [V, ...V[]], given: unknown): V {
  return values.find((value) => value === given) ?? values[0]
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
