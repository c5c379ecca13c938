// Drawings of one instrument on its chart: rendered, editable, saved to the account, with a toolbar.
import { useEffect, useState } from 'react'
import type { PriceAdjuster } from '#shared/candles/adjustment.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { ShapeTexts } from '#shared/drawings/shape.ts'
import { workspaceText } from '#shared/text/en/workspace.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { priceText } from '#web/features/market-data/price-text.ts'
import { adjustedDrawings } from './adjusted-drawings.ts'
import { attachPointer, focusTarget } from './attach-pointer.ts'
import { DrawingController } from './drawing-controller.ts'
import type { DrawingSurface } from './drawing-surface.ts'
import { DrawingToolbar } from './drawing-toolbar.tsx'
import { openDrawings } from './drawings-store.ts'
import { paintDrawings, type DrawingInk } from './paint-drawings.ts'
import { TextDialog, type TextQuestion } from './text-dialog.tsx'

export interface ChartDrawingsProps {
  /** Fixed for the life of the component: for another chart change the key. */
  readonly surface: DrawingSurface
  readonly instrument: Instrument
  /** Adjuster of the displayed prices; undefined where they are unadjusted. */
  readonly adjuster: PriceAdjuster | undefined
  /** Current design tokens as #rrggbb. */
  readonly ink: () => DrawingInk
}

/** Rendered in the chart's positioned container, above the chart. */
export function ChartDrawings({ surface, instrument, adjuster, ink }: ChartDrawingsProps) {
  const [live, setLive] = useState<LiveDrawings>()
  const [sentence, setSentence] = useState('')
  const [question, setQuestion] = useState<TextQuestion>()
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    const made = liveDrawings(
      { surface, instrument, adjuster, ink },
      { report: setSentence, askText: (before, done) => setQuestion({ before, done }) },
    )
    // The chart lives outside of React: the drawings on it are created and disposed with it.
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
  readonly report: (sentence: string) => void
  readonly askText: (before: string, done: (text: string) => void) => void
}

interface LiveDrawings {
  readonly board: DrawingController
  readonly stop: () => void
}

/** Connects board, chart, keys and store; `stop` disposes everything. */
function liveDrawings({ surface, instrument, adjuster, ink }: ChartDrawingsProps, voice: Voice): LiveDrawings {
  const prices = adjustedDrawings(adjuster)
  const texts = textsOf(instrument, surface)
  const board = new DrawingController({
    // Drawing before the saved drawings are loaded would overwrite them.
    mapping: () => (open.isLoaded() ? surface.mapping() : undefined),
    barAt: surface.barAt,
    timeAfter: (timeMs, bars) => surface.timeOf(surface.indexOf(timeMs) + bars),
    tickSize: instrument.tickSize,
    texts,
    newId: () => crypto.randomUUID(),
    onChange: (drawings) => open.change(prices.toStored(drawings)),
    ...voice,
    onFull: () => toast({ kind: 'warn', text: workspaceText.drawingsFull }),
  })
  const open = openDrawings({
    slug: instrument.slug,
    series: instrument.series,
    onDrawings: (drawings) => board.load(prices.toShown(drawings)),
  })
  const layer = surface.addLayer((pen, mapping) =>
    paintDrawings(pen, board.shown(), { mapping, texts, ink: ink(), selectedId: board.state().selected?.id }),
  )
  const stops = [board.onState(() => layer.repaint()), attachPointer(surface, board), () => layer.remove(), open.close]
  return { board, stop: () => stops.forEach((stop) => stop()) }
}

function textsOf(instrument: Instrument, surface: DrawingSurface): ShapeTexts {
  const { price, change } = priceText(instrument)
  return { price, change, barsBetween: (fromMs, toMs) => surface.indexOf(toMs) - surface.indexOf(fromMs) }
}
