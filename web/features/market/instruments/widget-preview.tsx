// The provider's frame with one symbol, to see whether it shows it; as a frame in any case, so that no foreign script runs here.
import { useEffect, useRef } from 'react'
import { adminInstrumentsText as text } from '#shared/text/en/admin-instruments.ts'
import { browserZone } from '../browser-zone.ts'
import { widgetEngine } from '../engines/widget.ts'
import type { CheckResult, SymbolCheck } from './setting-form.ts'

const answerMs = 10_000
/** That there are no candles is reported after the frame has loaded. */
const settleMs = 2_000

const engine = widgetEngine('iframe')

interface WidgetPreviewProps {
  readonly check: SymbolCheck
  readonly onResult: (check: SymbolCheck, result: CheckResult) => void
}

/** One symbol for the life of the component. */
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
