// The drawings of one instrument on its chart: painted, taken by hand, saved for the account, with their toolbar.
import { useEffect, useState } from 'react'
import type { PriceAdjuster } from '#shared/market/adjustment.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { ShapeTexts } from '#shared/market/drawings/shape.ts'
import { workspaceText } from '#shared/text/en/workspace.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { priceText } from '../native/price-text.ts'
import { adjustedDrawings } from './adjusted-drawings.ts'
import { attachPointer, focusTarget } from './attach-pointer.ts'
import type { DrawingBoard } from './board-port.ts'
import { drawingBoard } from './drawing-board.ts'
import type { DrawingSurface } from './drawing-surface.ts'
import { DrawingToolbar } from './drawing-toolbar.tsx'
import { drawingsSaver } from './drawings-saver.ts'
import { paintDrawings, type DrawingInk } from './paint-drawings.ts'
import { TextDialog, type TextQuestion } from './text-dialog.tsx'

export interface ChartDrawingsProps {
  /** One for the life of the component: for another chart give it another key. */
  readonly surface: DrawingSurface
  readonly instrument: Instrument
  /** Of the prices on the chart; undefined where they are as they traded. */
  readonly adjuster: PriceAdjuster | undefined
  /** The tokens as #rrggbb, as they are now. */
  readonly ink: () => DrawingInk
}

/** Stands in the positioned box of the chart, above it. */
export function ChartDrawings({ surface, instrument, adjuster, ink }: ChartDrawingsProps) {
  const [live, setLive] = useState<LiveDrawings>()
  const [sentence, setSentence] = useState('')
  const [question, setQuestion] = useState<TextQuestion>()
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    const made = liveDrawings(
      { surface, instrument, adjuster, ink },
      { say: setSentence, askText: (before, done) => setQuestion({ before, done }) },
    )
    // The chart is outside of React: what lies on it is made and ends with it.
    // oxlint-disable-next-line react/set-state-in-effect
    setLive(made)
    return made.stop
  }, [surface, instrument, adjuster, ink])
  if (live === undefined) return null
  const { board } = live
  return (
    <>
      <DrawingToolbar
        board={board}
        onRemoveAll={() => setIsAsking(true)}
        onKeysToChart={() => focusTarget(surface.host).focus({ preventScroll: true })}
      />
      <p aria-live="polite" data-testid="spoken-drawing" className="sr-only">
        {sentence}
      </p>
      <TextDialog question={question} onClose={() => setQuestion(undefined)} />
      <ConfirmDialog
        isOpen={isAsking}
        title={workspaceText.removeAll}
        question={workspaceText.removeAllQuestion}
        confirmLabel={workspaceText.removeAll}
        onConfirm={() => {
          board.removeAll()
          setIsAsking(false)
        }}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

interface Voice {
  readonly say: (sentence: string) => void
  readonly askText: (before: string, done: (text: string) => void) => void
}

interface LiveDrawings {
  readonly board: DrawingBoard
  readonly stop: () => void
}

/** Joins board, chart, keys and server; everything ends with `stop`. */
function liveDrawings({ surface, instrument, adjuster, ink }: ChartDrawingsProps, voice: Voice): LiveDrawings {
  const prices = adjustedDrawings(adjuster)
  const saver = drawingsSaver({
    slug: instrument.slug,
    series: instrument.series,
    onDrawings: (drawings) => board.load(prices.toShown(drawings)),
    onRefused: () => toast({ kind: 'danger', text: workspaceText.saveFailed }),
  })
  const texts = textsOf(instrument, surface)
  const board = drawingBoard({
    // What is drawn before the others are known would replace them.
    mapping: () => (saver.isLoaded() ? surface.mapping() : undefined),
    barAt: surface.barAt,
    timeAfter: (timeMs, bars) => surface.timeOf(surface.indexOf(timeMs) + bars),
    tickSize: instrument.tickSize,
    texts,
    newId: () => crypto.randomUUID(),
    onChange: (drawings) => saver.change(() => prices.toStored(drawings)),
    ...voice,
    onFull: () => toast({ kind: 'warn', text: workspaceText.drawingsFull }),
  })
  const layer = surface.addLayer((pen, mapping) =>
    paintDrawings(pen, board.shown(), { mapping, texts, ink: ink(), selectedId: board.state().selected?.id }),
  )
  const listening = new AbortController()
  const onLeave = () => saver.flush()
  const onLook = () => {
    if (document.visibilityState === 'visible') saver.refresh()
    else saver.flush()
  }
  window.addEventListener('pagehide', onLeave, { signal: listening.signal })
  document.addEventListener('visibilitychange', onLook, { signal: listening.signal })
  const stops = [
    board.onState(() => layer.repaint()),
    attachPointer(surface, board),
    () => listening.abort(),
    () => layer.remove(),
    saver.stop,
  ]
  saver.start()
  return { board, stop: () => stops.forEach((stop) => stop()) }
}

function textsOf(instrument: Instrument, surface: DrawingSurface): ShapeTexts {
  const { price, change } = priceText(instrument)
  return { price, change, barsBetween: (fromMs, toMs) => surface.indexOf(toMs) - surface.indexOf(fromMs) }
}
