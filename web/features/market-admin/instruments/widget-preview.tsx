// Previews one symbol in the provider's frame; always an iframe, so that no third-party script runs here.
import { useEffect, useRef } from 'react'
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { browserZone } from '#web/features/market-data/browser-zone.ts'
import { widgetEngine } from '#web/features/chart/engines/widget.ts'
import type { CheckResult, SymbolCheck } from './rules.ts'

const answerMs = 10_000
/** The frame reports missing candles only after it has loaded. */
const settleMs = 2_000

const engine = widgetEngine('iframe')

interface WidgetPreviewProps {
  readonly check: SymbolCheck
  readonly onResult: (check: SymbolCheck, result: CheckResult) => void
}

/** Fixed symbol for the life of the component. */
export function WidgetPreview({ check, onResult }: WidgetPreviewProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    let settle: ReturnType<typeof setTimeout> | undefined
    const timeout = setTimeout(() => onResult(check, 'no-answer'), answerMs)
    const view = { ...check, zone: browserZone, studies: [], title: text.preview(check.symbol) }
    const stop = engine.mount(host.current, view, (report) => {
      clearTimeout(timeout)
      if (report === 'loaded') settle ??= setTimeout(() => onResult(check, 'ready'), settleMs)
      else {
        clearTimeout(settle)
        onResult(check, report === 'no-data' ? 'no-data' : 'no-answer')
      }
    })
    return () => {
      clearTimeout(timeout)
      clearTimeout(settle)
      stop()
    }
  }, [check, onResult])
  return <div ref={host} className="h-56 overflow-hidden rounded-control border border-line" />
}
