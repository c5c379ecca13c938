// One view rendered by one engine: loading overlay, fallback card, or the chart.
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { EarlySlot } from './early-slot.tsx'
import type { ChartEngine, EngineReport } from './engines/engine.ts'

const timeoutMs = 10_000

export type Stage = 'loading' | 'shown' | 'unreachable' | 'no-data'

export interface ChartStageProps<View> {
  readonly engine: ChartEngine<View>
  /** Another one is drawn by the same engine; undefined while it is not known yet. */
  readonly view: View | undefined
  /** Delay between the engine's ready event and its real first paint. */
  readonly settleMs: number
  /** Called at once, before the stage changes. */
  readonly onReport?: ((report: EngineReport) => void) | undefined
  readonly onStage: (stage: Stage) => void
  /** Card for a stage without a chart. */
  readonly cardOf: (stage: 'unreachable' | 'no-data') => ReactNode
}

export function ChartStage<View>({ cardOf, ...mounted }: ChartStageProps<View>) {
  const host = useRef<HTMLDivElement>(null)
  const stage = useEngine(host, mounted)
  return (
    <div className="relative size-full" aria-busy={stage === 'loading'}>
      <div ref={host} className="size-full" inert={stage !== 'shown'} />
      {stage === 'loading' && <LoadingOverlay />}
      {(stage === 'unreachable' || stage === 'no-data') && cardOf(stage)}
    </div>
  )
}

export function LoadingOverlay() {
  return (
    <output data-testid="chart-loading" className="absolute inset-0 grid place-items-center bg-canvas text-13 text-text-2">
      <span className="flex items-center gap-2">
        <Spinner className="size-4" />
        {marketText.loadingChart}
      </span>
      <EarlySlot />
    </output>
  )
}

/** A late ready event still replaces the card with the chart. */
function useEngine<View>(
  host: React.RefObject<HTMLDivElement | null>,
  { engine, view, settleMs, onReport, onStage }: Omit<ChartStageProps<View>, 'cardOf'>,
): Stage {
  const [reached, setReached] = useState<{ readonly view: View | undefined; readonly stage: Stage }>({ view, stage: 'loading' })
  const stage = reached.view === view ? reached.stage : 'loading'
  // Before the paint: what was drawn of the view before must not be seen under the name of this one.
  useLayoutEffect(() => {
    if (host.current === null || view === undefined) return undefined
    const setStage = (next: Stage) => setReached({ view, stage: next })
    let settle: (() => void) | undefined
    const longTimeout = setTimeout(() => setStage('unreachable'), timeoutMs)
    const stop = engine.mount(host.current, view, (report) => {
      clearTimeout(longTimeout)
      onReport?.(report)
      if (report === 'loaded') settle ??= afterPaint(settleMs, () => setStage('shown'))
      else {
        settle?.()
        setStage(report === 'no-data' ? 'no-data' : 'unreachable')
      }
    })
    return () => {
      clearTimeout(longTimeout)
      settle?.()
      stop()
    }
  }, [host, engine, view, settleMs, onReport])
  useEffect(() => onStage(stage), [onStage, stage])
  return stage
}

/** At once: in the frame of the report. Returns the function that cancels it. */
function afterPaint(settleMs: number, show: () => void): () => void {
  if (settleMs > 0) {
    const timer = setTimeout(show, settleMs)
    return () => clearTimeout(timer)
  }
  let isOver = false
  // React may be rendering now.
  queueMicrotask(() => {
    if (!isOver) flushSync(show)
  })
  return () => void (isOver = true)
}
