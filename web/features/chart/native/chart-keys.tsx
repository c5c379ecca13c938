// Keyboard and screen reader access to the chart: one tab stop, arrow keys from bar to bar, each announced.
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { chartText } from '#shared/chart/text/en.ts'
import type { NativeChart } from './chart-port.ts'

export interface ChartKeysProps {
  readonly chart: NativeChart | undefined
  readonly name: string
  readonly children: ReactNode
}

const pageBars = 20

export function ChartKeys({ chart, name, children }: ChartKeysProps) {
  const [spoken, setSpoken] = useState('')
  const id = useId()
  const walk = (to: number | 'first' | 'last') => {
    const bar = chart?.walk(to)
    if (bar !== undefined) setSpoken(chartText.spoken(bar))
  }
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => walk(-1),
    ArrowRight: () => walk(1),
    PageUp: () => walk(-pageBars),
    PageDown: () => walk(pageBars),
    Home: () => walk('first'),
    End: () => walk('last'),
    '+': () => chart?.zoom(1),
    '=': () => chart?.zoom(1),
    '-': () => chart?.zoom(-1),
    _: () => chart?.zoom(-1),
    Escape: () => chart?.leave(),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        // `application` gives the arrow keys to the chart, also while a screen reader runs.
        role="application"
        aria-roledescription={chartText.chartRole}
        aria-label={name}
        aria-describedby={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => chart?.leave()}
        data-testid="chart-canvas"
        className="absolute inset-0 touch-none select-none focus-visible:z-10 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
      >
        {children}
      </div>
      <p id={id} className="sr-only">
        {chartText.keys}
      </p>
      <p aria-live="polite" data-testid="spoken-bar" className="sr-only">
        {spoken}
      </p>
    </>
  )
}
