// The Tezi chart through its engine interface, with candles from memory: no React, no server.
import type { Drawing } from '#shared/drawings/drawing.ts'
import type { ShapeTexts } from '#shared/drawings/shape.ts'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import type { CandleRow, LiveCondition } from '#shared/market-data/live/contract.ts'
import { paintDrawings } from '#web/features/drawings/paint-drawings.ts'
import { nativeEngine, type NativeView } from '#web/features/chart/native/native-engine.ts'
import { readColours } from '#web/features/chart/native/chart-colours.ts'
import type { NativeChart } from '#web/features/chart/native/chart-port.ts'
import { madeCharts, movesOf } from './lwc-spy.ts'
import type { MountedChart, TrendLine } from './peer.ts'

const condition: LiveCondition = {
  label: { mode: 'live', source: 'Bench', delayMinutes: 0, proxy: null },
  sessionClass: 'nse-index',
  isStale: false,
  reason: null,
}

export function mount(host: HTMLElement, rows: readonly CandleRow[]): MountedChart {
  let update: ((rows: readonly CandleRow[]) => void) | undefined
  const lastMs = rows.at(-1)?.[0] ?? 0
  // As if the last minute were current, so that its countdown is drawn too.
  const clockOffsetMs = lastMs + 30_000 - Date.now()
  const view: NativeView = {
    instrument: findInstrument('nifty') as Instrument,
    timeframe: '1',
    adjustment: 'splits',
    zone: 'Asia/Kolkata',
    source: {
      open(_request, listener) {
        update = (rows) => listener.update(rows)
        listener.connected(true)
        listener.snapshot({ candles: rows, hasOlder: false, condition })
        return () => undefined
      },
      older: () => Promise.resolve({ candles: [], hasOlder: false }),
      clockOffsetMs: () => clockOffsetMs,
    },
    clock: { onSecond: (listener) => (setInterval(listener, 1000), () => undefined), nowMs: Date.now },
    options: { style: 'candles', scale: 'linear', colours: 'classic', hasBreaks: true, adjustment: 'splits' },
    studies: undefined,
    events: { condition: () => undefined, connected: () => undefined, ended: () => undefined },
  }
  let own: NativeChart | undefined
  nativeEngine((chart) => void (own = chart)).mount(host, view, () => undefined)
  const chart = madeCharts.at(-1)
  if (chart === undefined || own === undefined) throw new Error('Our chart drew nothing with the chart library')
  const { surface, frame } = own
  const moves = movesOf(chart)
  const visible = () => moves.visible() * frame().joined
  return {
    ...moves,
    pan: (bars) => moves.pan(bars / frame().joined),
    visible,
    // Like the keyboard zoom: by a quarter, repeatedly.
    showMore: (bars) => visible() >= bars || (own?.zoom(-1), false),
    addLines(lines) {
      const drawings = lines.map(drawingOf)
      surface.addLayer(
        (pen, mapping) => paintDrawings(pen, drawings, { mapping, texts, ink: readColours(), selectedId: undefined }),
        () => [],
      )
    },
    async addStudies() {
      const { studyKit: kit } = await import('#web/features/chart/native/studies/lazy-entry.ts')
      own?.setStudies({ kit, configs: (['ema', 'rsi', 'macd'] as const).map((id) => ({ id, inputs: {}, isHidden: false })) })
    },
    tick: (row) => update?.([row]),
  }
}

/** No measurements are displayed here, so no texts are needed. */
const texts: ShapeTexts = { price: String, change: String, barsBetween: () => 0 }

function drawingOf({ from, to }: TrendLine, index: number): Drawing {
  return { id: String(index), kind: 'trend', anchors: [from, to], colour: 'accent', width: 1, text: '' }
}
