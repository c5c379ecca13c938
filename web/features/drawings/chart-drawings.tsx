// Drawings of one instrument on its chart: rendered, editable, saved to the account, with a toolbar.
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PriceAdjuster } from '#shared/candles/price-adjuster.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { ShapeTexts } from '#shared/drawings/shape.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { fetchedPanel, usePanelsSoon } from '#web/ui/fetched-panel.tsx'
import { toast } from '#web/lib/toast.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { priceText } from '#web/features/market-data/price-text.ts'
import { showArmed } from './armed-cursor.ts'
import { adjustedDrawings } from './adjusted-drawings.ts'
import { attachPointer, focusTarget } from './attach-pointer.ts'
import type { DrawingQuestion } from './drawing-dialogs.tsx'
import { DrawingController } from './drawing-controller.ts'
import type { DrawingSurface } from './drawing-surface.ts'
import { DrawingToolbar } from './drawing-toolbar.tsx'
import { openDrawings } from './drawings-store.ts'
import { axisMarks } from './axis-marks.ts'
import { paintDrawings, type DrawingInk } from './paint-drawings.ts'

const dialogs = fetchedPanel(async () => (await import('./drawing-dialogs.tsx')).DrawingDialogs)
const panels = [dialogs]

export interface ChartDrawingsProps {
  /** Fixed for the life of the component: for another chart change the key. */
  readonly surface: DrawingSurface
  readonly instrument: Instrument
  /** Adjuster of the displayed prices; undefined where they are unadjusted. */
  readonly adjuster: PriceAdjuster | undefined
  /** Current design tokens as #rrggbb. */
  readonly ink: () => DrawingInk
  /** Place of the toolbar; null for a chart without one. */
  readonly rail: HTMLElement | null
}

export function ChartDrawings({ surface, instrument, adjuster, ink, rail }: ChartDrawingsProps) {
  const isBelow = useMedia('(max-width: 639px)')
  const [live, setLive] = useState<LiveDrawings>()
  const [sentence, setSentence] = useState('')
  const [question, setQuestion] = useState<DrawingQuestion>()
  usePanelsSoon(panels)
  useEffect(() => {
    const made = liveDrawings(
      { surface, instrument, adjuster, ink },
      { report: setSentence, askText: (before, done) => setQuestion({ kind: 'text', text: { before, done } }) },
    )
    // The chart lives outside of React: the drawings on it are created and disposed with it.
    // oxlint-disable-next-line react/set-state-in-effect
    setLive(made)
    return made.stop
  }, [surface, instrument, adjuster, ink])
  const onArm = useCallback((icon: Element | undefined) => showArmed(surface.host, icon), [surface])
  if (live === undefined) return null
  const { board } = live
  return (
    <>
      {rail !== null &&
        createPortal(
          <DrawingToolbar
            board={board}
            orientation={isBelow ? 'horizontal' : 'vertical'}
            onRemoveAll={() => setQuestion({ kind: 'remove-all' })}
            onKeysToChart={() => focusTarget(surface.host).focus({ preventScroll: true })}
            onArm={onArm}
          />,
          rail,
        )}
      <p aria-live="polite" data-testid="spoken-drawing" className="sr-only">
        {sentence}
      </p>
      <dialogs.Panel
        isOpen={question !== undefined}
        question={question}
        onRemoveAll={() => board.removeAll()}
        onClose={() => setQuestion(undefined)}
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
function liveDrawings({ surface, instrument, adjuster, ink }: Omit<ChartDrawingsProps, 'rail'>, voice: Voice): LiveDrawings {
  const prices = adjustedDrawings(adjuster)
  const texts = textsOf(instrument, surface)
  const board = new DrawingController({
    // Drawing before the saved drawings are loaded would overwrite them.
    mapping: () => (open.isLoaded() ? surface.mapping() : undefined),
    barAt: surface.barAt,
    timeAfter: (timeMs, bars) => surface.timeOf(surface.indexOf(timeMs) + bars),
    tickSize: instrument.tickSize,
    texts,
    newId: randomUuid,
    onChange: (drawings) => open.change(prices.toStored(drawings)),
    ...voice,
    onFull: () => toast({ kind: 'warn', text: workspaceText.drawingsFull }),
  })
  const open = openDrawings({
    slug: instrument.slug,
    series: instrument.series,
    onDrawings: (drawings) => board.load(prices.toShown(drawings)),
  })
  const layer = surface.addLayer(
    (pen, mapping) => paintDrawings(pen, board.shown(), { mapping, texts, ink: ink(), selectedId: board.state().selected?.id }),
    () => axisMarks(board.shown(), texts, ink),
  )
  const stops = [board.onState(() => layer.repaint()), attachPointer(surface, board), () => layer.remove(), open.close]
  return { board, stop: () => stops.forEach((stop) => stop()) }
}

function textsOf(instrument: Instrument, surface: DrawingSurface): ShapeTexts {
  const { price, change } = priceText(instrument)
  return { price, change, barsBetween: (fromMs, toMs) => surface.indexOf(toMs) - surface.indexOf(fromMs) }
}
