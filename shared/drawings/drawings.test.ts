// Drawings: parsing, geometry, hit testing, and that no edit creates an invalid number.
import { describe, expect, it, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { drawingListSchema, drawingSchema, drawingsMax, readDrawings, safeAnchor, type Drawing } from './drawing.ts'
import { moved, nudged, resized } from './edit.ts'
import { historyOf, recorded, redone, stepsMax, undone } from './history.ts'
import { hitTest, reachPx } from './hit-test.ts'
import { commandOf } from './keys.ts'
import { magnetised } from './magnet.ts'
import { indexOfTime, timeOfIndex, type Mapping } from './mapping.ts'
import { shapeOf } from './shape.ts'
import { anyDrawing, plainMapping as mapping, plainTexts as texts } from './testing/random-drawings.ts'

const minute = 60_000
const at = (x: number, y: number) => ({ timeMs: x * minute, price: 400 - y })
const draw = (kind: Drawing['kind'], ...anchors: Drawing['anchors']): Drawing => ({
  id: kind,
  kind,
  anchors,
  colour: 'accent',
  width: 1,
  text: kind === 'text' ? 'Zone' : '',
})
const blind: Mapping = { ...mapping, xOfTime: () => null, timeOfX: () => null }
const hit = (drawings: readonly Drawing[], x: number, y: number, reach: number = reachPx.mouse, selectedId?: string) =>
  hitTest(drawings, { x, y }, { mapping, texts, reach, selectedId })

describe('stored drawings', () => {
  it.each([[null], [{}], ['[]'], [[null, 1, 'x', {}]], [[{ ...draw('trend', at(0, 0)) }]]])('%j contains no drawing', (stored) => {
    expect(readDrawings(stored)).toEqual([])
  })

  it('drops what is invalid, duplicated or too much, and keeps the rest', () => {
    const line = draw('horizontal', at(1, 2))
    expect(readDrawings([line, { ...line, id: 'b', width: 0 }, line, { ...line, id: 'c', future: 1 }])).toEqual([
      line,
      { ...line, id: 'c' },
    ])
    expect(readDrawings(Array.from({ length: 600 }, (_, id) => ({ ...line, id: `${id}` })))).toHaveLength(drawingsMax)
  })

  it('survives a JSON round trip', async () => {
    await assertProperty(
      fc.property(fc.uniqueArray(anyDrawing, { selector: ({ id }) => id }), (list) => {
        expect(readDrawings(JSON.parse(JSON.stringify(list)))).toEqual(list)
        expect(drawingListSchema.safeParse(list).success).toBe(true)
      }),
    )
  })
})

describe('a shape', () => {
  it.each(['trend', 'ray', 'rectangle', 'fibonacci', 'measure', 'text', 'vertical'] as const)(
    'is undefined for a %s that the chart cannot map',
    (kind) => {
      const anchors = kind === 'text' || kind === 'vertical' ? [at(1, 1)] : [at(1, 1), at(2, 2)]
      expect(shapeOf(draw(kind, ...anchors), blind, texts)).toBeUndefined()
    },
  )

  it('a ray extends beyond the pane, a trend line ends at its anchor', () => {
    expect(shapeOf(draw('trend', at(10, 10), at(20, 20)), mapping, texts)?.lines[0]?.to).toEqual({ x: 20, y: 20 })
    const end = shapeOf(draw('ray', at(10, 10), at(20, 20)), mapping, texts)?.lines[0]?.to
    expect(end?.y).toBeGreaterThan(mapping.height)
    expect(end?.y).toBeCloseTo(end?.x ?? 0, 6)
    expect(shapeOf(draw('ray', at(10, 10), at(10, 10)), mapping, texts)?.lines[0]?.to).toEqual({ x: 10, y: 10 })
  })

  it('a retracement has its seven levels, 0 at the end of the move and 1 at its start', () => {
    const shape = shapeOf(draw('fibonacci', { timeMs: 0, price: 100 }, { timeMs: minute, price: 200 }), mapping, texts)
    expect(shape?.labels.map(({ text }) => text)).toEqual([
      '0 (200.00)',
      '0.236 (176.40)',
      '0.382 (161.80)',
      '0.5 (150.00)',
      '0.618 (138.20)',
      '0.786 (121.40)',
      '1 (100.00)',
    ])
  })

  it('a Fibonacci retracement keeps its labels readable: on a ground, not over each other, within the pane', () => {
    const flat = shapeOf(draw('fibonacci', at(200, 100), at(300, 140)), mapping, texts)
    expect(flat?.labels.map(({ text }) => text.split(' ')[0])).toEqual(['0', '0.618', '1'].toSorted())
    expect(flat?.labels.every(({ hasGround, align }) => hasGround && align === 'right')).toBe(true)
    const cut = shapeOf(draw('fibonacci', at(5, 100), at(300, 300)), mapping, texts)
    expect(cut?.labels.every(({ x, align }) => x > 5 && align === 'left')).toBe(true)
  })

  it.each([
    [100, 110, '+10.00 (+10.00%), 3 bars'],
    [100, 99, '-1.00 (\u22121.00%), 3 bars'],
    [100, 100, '0.00 (0.00%), 3 bars'],
    [0, 5, '+5.00 (\u2013), 3 bars'],
  ])('a measure from %d to %d shows %s', (from, to, text) => {
    expect(shapeOf(draw('measure', { timeMs: 0, price: from }, { timeMs: 3 * minute, price: to }), mapping, texts)?.labels[0]?.text).toBe(
      text,
    )
  })
})

describe('hit test', () => {
  const line = draw('trend', at(100, 100), at(200, 100))
  const box = draw('rectangle', at(50, 50), at(300, 300))

  it.each([
    [150, 108, 8, { id: 'trend', part: 'body' }],
    [150, 109, 8, undefined],
    [150, 122, 22, { id: 'trend', part: 'body' }],
    [150, 123, 22, undefined],
    [205, 100, 8, { id: 'trend', part: 1 }],
    [94, 100, 8, { id: 'trend', part: 0 }],
    [209, 100, 8, undefined],
  ])('at %d, %d with a reach of %d finds %j', (x, y, reach, found) => {
    expect(hit([line], x, y, reach)).toEqual(found)
  })

  it('finds a line inside a rectangle above it, and the rectangle beside the line', () => {
    expect(hit([line, box], 150, 100)).toEqual({ id: 'trend', part: 'body' })
    expect(hit([line, box], 150, 200)).toEqual({ id: 'rectangle', part: 'body' })
    expect(hit([line, box], 400, 200)).toBeUndefined()
  })

  it('finds the later of two, but a handle of the selected one first', () => {
    const other = { ...line, id: 'later' }
    expect(hit([line, other], 100, 100)).toEqual({ id: 'later', part: 0 })
    expect(hit([line, other], 100, 100, 8, 'trend')).toEqual({ id: 'trend', part: 0 })
  })

  it('finds every point of every line, box and handle', async () => {
    await assertProperty(
      fc.property(anyDrawing, fc.double({ min: 0, max: 1, noNaN: true }), (drawing, along) => {
        const shape = shapeOf(drawing, mapping, texts)
        if (shape === undefined) throw new Error('no shape')
        for (const { from, to } of shape.lines)
          expect(hit([drawing], from.x + (to.x - from.x) * along, from.y + (to.y - from.y) * along)?.id).toBe(drawing.id)
        for (const { x, y, width, height } of shape.boxes)
          expect(hit([drawing], x + width * along, y + height * along)?.id).toBe(drawing.id)
        for (const handle of shape.handles) expect(hit([drawing], handle.x, handle.y)?.id).toBe(drawing.id)
        for (const label of shape.labels.filter(({ align }) => align === 'left'))
          expect(hit([drawing], label.x + 3, label.y)?.id).toBe(drawing.id)
      }),
    )
  })
})

describe('an edit', () => {
  it('moves all anchors by the same pixels and keeps unchanged coordinates exact', () => {
    const line = draw('trend', { timeMs: 7, price: 1.1 }, at(50, 60))
    expect(moved(line, { x: 10, y: 0 }, mapping).anchors).toEqual([{ timeMs: 7 + 10 * minute, price: 1.1 }, at(60, 60)])
    expect(moved(line, { x: 0, y: -5 }, mapping).anchors[1]).toEqual(at(50, 55))
    expect(moved(line, { x: 10, y: 5 }, blind)).toEqual(line)
  })

  it.each([
    [0, [at(7, 8), at(3, 4)]],
    [1, [at(1, 2), at(7, 8)]],
    [2, [at(7, 2), at(3, 8)]],
    [3, [at(1, 8), at(7, 4)]],
  ])('of handle %d changes these corners', (handle, anchors) => {
    const box = resized(draw('rectangle', at(1, 2), at(3, 4)), handle, at(7, 8))
    expect(box.anchors).toEqual(anchors)
    // The handle is at the drop position.
    expect(shapeOf(box, mapping, texts)?.handles[handle]).toEqual({ x: 7, y: 8 })
  })

  it('by keyboard keeps prices on the tick grid', () => {
    const steps = { tickSize: 0.05, timeAfter: (timeMs: number, bars: number) => timeMs + bars * minute }
    let line = draw('horizontal', { timeMs: 0, price: 25_000.05 })
    for (let press = 0; press < 1000; press += 1) line = nudged(line, { bars: 0, ticks: 1 }, steps)
    expect(line.anchors[0]?.price).toBe(25_050.05)
    const pair = draw('trend', at(1, 1), at(2, 2))
    expect(nudged(pair, { bars: 1, ticks: 0 }, { ...steps, only: 1 }).anchors).toEqual([at(1, 1), at(3, 2)])
    expect(nudged(line, { bars: 3, ticks: 0 }, steps).anchors[0]).toEqual({ timeMs: 3 * minute, price: 25_050.05 })
  })

  it('never creates an invalid number, whatever the chart returns', async () => {
    const odd = fc.oneof(fc.double(), fc.constant(null))
    const number = fc.double()
    await assertProperty(
      fc.property(
        anyDrawing,
        fc.func(odd),
        fc.record({ x: number, y: number }),
        fc.record({ bars: fc.integer(), ticks: fc.integer() }),
        (drawing, ask, by, nudge) => {
          const wild: Mapping = { width: 1, height: 1, xOfTime: ask, yOfPrice: ask, timeOfX: ask, priceOfY: ask }
          const steps = { tickSize: 0.01, timeAfter: (timeMs: number) => ask(timeMs) ?? Number.NaN }
          for (const next of [
            moved(drawing, by, wild),
            nudged(drawing, nudge, steps),
            resized(drawing, 0, { timeMs: by.x, price: by.y }),
          ]) {
            expect(drawingSchema.safeParse(next).success).toBe(true)
            expect(readDrawings(JSON.parse(JSON.stringify([next])))).toEqual([next])
          }
        },
      ),
    )
  })

  it.each([
    [Number.NaN, 1],
    [1, Number.NaN],
    [Number.POSITIVE_INFINITY, 1],
    [null, 1],
    [1, null],
  ])('rejects an anchor at %s, %s', (timeMs, price) => {
    expect(safeAnchor(timeMs, price)).toBeUndefined()
  })
})

describe('magnet', () => {
  const bar = { timeMs: 100 * minute, open: 200, high: 240, low: 190, close: 230 }
  it.each([
    [
      { x: 103, y: 172 },
      { timeMs: bar.timeMs, price: 230 },
    ],
    [
      { x: 103, y: 163 },
      { timeMs: bar.timeMs, price: 240 },
    ],
    [
      { x: 97, y: 233 },
      { timeMs: bar.timeMs, price: 190 },
    ],
    [
      { x: 103, y: 235 },
      { timeMs: 103 * minute, price: 165 },
    ],
  ])('at %j gives %j', (point, anchor) => {
    expect(magnetised(point, mapping, () => bar)).toEqual(anchor)
  })

  it('without a bar returns the exact point, and null on a chart without a mapping', () => {
    expect(magnetised({ x: 5, y: 5 }, mapping, () => undefined)).toEqual(at(5, 5))
    expect(magnetised({ x: 5, y: 5 }, blind, () => bar)).toBeNull()
  })
})

describe('an axis of bars', () => {
  const bars = (...stamps: number[]) => ({ timeMs: Float64Array.from([...stamps, 0, 0]), length: stamps.length, stepMs: 60 })

  it.each([
    [0, -100 / 60],
    [100, 0],
    [130, 0.5],
    [160, 1],
    [580, 1.5],
    [1000, 2],
    [1120, 4],
  ])('has %d at %d', (moment, index) => {
    const axis = bars(100, 160, 1000)
    expect(indexOfTime(axis, moment)).toBeCloseTo(index, 9)
    expect(timeOfIndex(axis, index)).toBeCloseTo(moment, 6)
  })

  it('has no position without bars', () => {
    expect(indexOfTime(bars(), 5)).toBeNaN()
    expect(timeOfIndex(bars(), 5)).toBeNaN()
  })

  it('is invertible for any bars', async () => {
    await assertProperty(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { minLength: 1 }),
        fc.integer({ min: -5000, max: 200_000 }),
        (stamps, moment) => {
          const axis = bars(...stamps.toSorted((one, other) => one - other))
          expect(timeOfIndex(axis, indexOfTime(axis, moment))).toBeCloseTo(moment, 4)
        },
      ),
    )
  })
})

describe('undo and redo', () => {
  it('do nothing without steps, and an unchanged value is not a step', () => {
    const fresh = historyOf('a')
    expect([undone(fresh), redone(fresh), recorded(fresh, 'a')]).toEqual([fresh, fresh, fresh])
  })

  it('drop steps beyond the hundredth, and redo steps after a new step', () => {
    let history = historyOf(0)
    for (let step = 1; step <= 150; step += 1) history = recorded(history, step)
    expect(history.past).toHaveLength(stepsMax)
    const back = recorded(undone(undone(history)), 999)
    expect([redone(back).present, undone(back).present]).toEqual([999, 148])
  })

  test('are inverse to each other, in any order', async () => {
    await assertProperty(
      fc.property(fc.array(fc.oneof(fc.nat(), fc.constantFrom('undo' as const, 'redo' as const))), (acts) => {
        let history = historyOf<number>(-1)
        for (const act of acts) {
          history = act === 'undo' ? undone(history) : act === 'redo' ? redone(history) : recorded(history, act)
          if (history.past.length > 0) expect(redone(undone(history))).toEqual(history)
          if (history.future.length > 0) expect(undone(redone(history))).toEqual(history)
        }
      }),
    )
  })
})

describe('keyboard command', () => {
  const press = (text: string) => ({
    key: text.split('+').at(-1) ?? '',
    ctrlKey: text.includes('Ctrl+'),
    metaKey: text.includes('Cmd+'),
    shiftKey: text.includes('Shift+'),
    altKey: text.includes('Alt+'),
  })
  it.each([
    ['Delete', { selection: false, draft: false }, undefined],
    ['ArrowUp', { selection: false, draft: true }, undefined],
    ['Escape', { selection: false, draft: false }, undefined],
    ['Ctrl+d', { selection: true, draft: false }, undefined],
    ['Alt+Ctrl+z', { selection: true, draft: false }, undefined],
    ['toString', { selection: true, draft: false }, undefined],
    ['Escape', { selection: false, draft: true }, { kind: 'cancel' }],
    ['Delete', { selection: true, draft: false }, { kind: 'remove' }],
    ['Backspace', { selection: true, draft: false }, { kind: 'remove' }],
    ['Ctrl+z', { selection: false, draft: false }, { kind: 'undo' }],
    ['Cmd+Shift+Z', { selection: false, draft: false }, { kind: 'redo' }],
    ['Ctrl+y', { selection: false, draft: false }, { kind: 'redo' }],
    ['ArrowLeft', { selection: true, draft: false }, { kind: 'nudge', by: { bars: -1, ticks: 0 } }],
    ['d', { selection: false, draft: false }, { kind: 'select', step: 1 }],
    ['Shift+D', { selection: true, draft: false }, { kind: 'select', step: -1 }],
    ['Enter', { selection: false, draft: true }, undefined],
    ['Enter', { selection: true, draft: false }, { kind: 'next-part' }],
    ['Shift+ArrowUp', { selection: true, draft: false }, { kind: 'nudge', by: { bars: 0, ticks: 10 } }],
  ])('%s with %j gives %j', (text, has, command) => {
    expect(commandOf(press(text), has)).toEqual(command)
  })
})
