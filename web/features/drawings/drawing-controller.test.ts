// The drawing board with a scripted pointer and keyboard, on a chart of one pixel per minute and per point.
import { describe, expect, it } from 'vitest'
import { drawingKinds, drawingListSchema, drawingsMax, type Drawing } from '#shared/drawings/drawing.ts'
import { plainMapping, plainTexts } from '#shared/drawings/testing/random-drawings.ts'
import { DrawingController } from './drawing-controller.ts'

const minute = 60_000
const at = (x: number, y: number) => ({ timeMs: x * minute, price: 400 - y })

function start({ hasCandles = true } = {}) {
  const saved: (readonly Drawing[])[] = []
  const reported: string[] = []
  const asked: { before: string; done: (text: string) => void }[] = []
  let full = 0
  let id = 0
  const board = new DrawingController({
    mapping: () => (hasCandles ? plainMapping : undefined),
    barAt: () => ({ timeMs: 100 * minute, open: 300, high: 320, low: 290, close: 310 }),
    timeAfter: (timeMs, bars) => timeMs + bars * minute,
    tickSize: 0.05,
    texts: plainTexts,
    newId: () => `d${(id += 1)}`,
    onChange: (drawings) => saved.push(drawings),
    report: (sentence) => reported.push(sentence),
    askText: (before, done) => asked.push({ before, done }),
    onFull: () => (full += 1),
  })
  return {
    board,
    saved,
    reported,
    asked,
    full: () => full,
    drag: (from: readonly [number, number], to: readonly [number, number], pointer: 'mouse' | 'touch' = 'mouse') => {
      const isTaken = board.press({ x: from[0], y: from[1] }, pointer)
      if (isTaken) {
        board.move({ x: to[0], y: to[1] })
        board.release({ x: to[0], y: to[1] })
      }
      return isTaken
    },
    click: (x: number, y: number) => {
      const isTaken = board.press({ x, y }, 'mouse')
      if (isTaken) board.release({ x, y })
      return isTaken
    },
    key: (key: string, more: { ctrlKey?: boolean; shiftKey?: boolean } = {}) =>
      board.key({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more }),
    anchors: () => board.shown().map((one) => one.anchors),
  }
}

describe('events that the board does not handle', () => {
  it('ignores a press before the first candle and one that hits no drawing', () => {
    expect(start({ hasCandles: false }).click(5, 5)).toBe(false)
    const { click, key, saved } = start()
    expect(click(5, 5)).toBe(false)
    for (const name of ['ArrowLeft', 'Escape', 'Delete', 'Enter', '+']) expect(key(name)).toBe(false)
    expect(saved).toEqual([])
  })

  it('only selects a drawing on the first touch', () => {
    const { board, drag, anchors } = start()
    board.load([{ id: 'a', kind: 'horizontal', anchors: [at(0, 100)], colour: 'up', width: 1, text: '' }])
    expect(drag([50, 115], [50, 180], 'touch')).toBe(false)
    expect(board.state().selected?.id).toBe('a')
    expect(drag([50, 115], [50, 180], 'touch')).toBe(true)
    expect(anchors()).toEqual([[at(0, 165)]])
  })
})

describe('drawing', () => {
  it('draws the same line by two clicks and by one drag, selects it and deselects the tool', () => {
    const clicked = start()
    clicked.board.choose('trend')
    clicked.click(10, 20)
    clicked.board.move({ x: 60, y: 70 })
    expect(clicked.anchors()).toEqual([[at(10, 20), at(60, 70)]])
    expect(clicked.saved).toEqual([])
    clicked.click(110, 220)
    const dragged = start()
    dragged.board.choose('trend')
    dragged.drag([10, 20], [110, 220])
    expect(clicked.anchors()).toEqual([[at(10, 20), at(110, 220)]])
    expect(dragged.anchors()).toEqual(clicked.anchors())
    expect(dragged.board.state()).toMatchObject({ tool: undefined, selected: { id: 'd1', kind: 'trend' }, canUndo: true, count: 1 })
    expect(dragged.reported.at(-1)).toBe(
      'Trend line drawn. Trend line selected. Arrow keys move it, Enter switches endpoints, Delete removes it, Escape deselects.',
    )
  })

  it('creates a valid drawing of every kind', () => {
    for (const kind of drawingKinds) {
      const { board, drag, asked, saved } = start()
      board.choose(kind)
      drag([100, 100], [200, 150])
      asked[0]?.done('Zone')
      expect(drawingListSchema.parse(saved.at(-1))).toMatchObject([{ kind, text: kind === 'text' ? 'Zone' : '' }])
    }
  })

  it('discards a drawing whose two anchors coincide', () => {
    const { board, click, saved } = start()
    board.choose('rectangle')
    click(10, 10)
    click(10, 10)
    expect([saved, board.shown()]).toEqual([[], []])
  })

  it('inserts at the centre without a pointer; arrow keys then move the drawing or one endpoint', () => {
    const { board, key, anchors } = start()
    board.insert('trend')
    expect(anchors()).toEqual([[at(280, 240), at(520, 160)]])
    key('ArrowRight')
    expect(anchors()).toEqual([[at(281, 240), at(521, 160)]])
    key('Enter')
    key('ArrowUp', { shiftKey: true })
    expect(anchors()).toEqual([[{ timeMs: 281 * minute, price: 160.5 }, at(521, 160)]])
    key('Enter')
    key('ArrowLeft')
    expect(anchors()[0]?.[1]).toEqual(at(520, 160))
    key('Enter')
    key('ArrowDown')
    expect(anchors()).toEqual([
      [
        { timeMs: 281 * minute, price: 160.45 },
        { timeMs: 520 * minute, price: 239.95 },
      ],
    ])
  })

  it('snaps to the price of the nearest bar with the magnet on', () => {
    const { board, drag, anchors } = start()
    board.setMagnet(true)
    board.choose('trend')
    drag([103, 93], [300, 300])
    expect(anchors()[0]?.[0]).toEqual({ timeMs: 100 * minute, price: 310 })
  })

  it('announces the limit of 500 drawings and adds no more', () => {
    const { board, drag, saved, full } = start()
    board.load(
      Array.from({ length: drawingsMax }, (_, at) => ({
        id: `x${at}`,
        kind: 'vertical',
        anchors: [{ timeMs: 0, price: 0 }],
        colour: 'up',
        width: 1,
        text: '',
      })),
    )
    board.choose('trend')
    drag([100, 100], [200, 200])
    expect([full(), saved.length, board.state().count]).toEqual([1, 0, drawingsMax])
  })

  it('is cancelled by Escape and by a second finger', () => {
    const { board, click, key, saved } = start()
    board.choose('trend')
    click(10, 10)
    expect(key('Escape')).toBe(true)
    expect(board.state().tool).toBeUndefined()
    board.choose('ray')
    board.press({ x: 1, y: 1 }, 'touch')
    board.abandon()
    expect([board.shown(), saved]).toEqual([[], []])
  })
})

describe('an existing drawing', () => {
  function withLine() {
    const world = start()
    world.board.choose('trend')
    world.drag([100, 100], [200, 100])
    return world
  }

  it('is moved by its body and resized by its handle, and a plain click changes nothing', () => {
    const { click, drag, anchors, saved } = withLine()
    click(150, 100)
    expect(saved).toHaveLength(1)
    drag([150, 102], [160, 122])
    expect(anchors()).toEqual([[at(110, 120), at(210, 120)]])
    drag([210, 120], [300, 50])
    expect(anchors()).toEqual([[at(110, 120), at(300, 50)]])
    expect(saved).toHaveLength(3)
  })

  it('is removed, restored by undo and removed again by redo', () => {
    const { board, key, saved } = withLine()
    expect(key('Delete')).toBe(true)
    expect(board.shown()).toEqual([])
    key('z', { ctrlKey: true })
    expect(board.shown()).toHaveLength(1)
    key('y', { ctrlKey: true })
    expect(board.shown()).toEqual([])
    expect(saved.map((list) => list.length)).toEqual([1, 0, 1, 0])
  })

  it('is selected by keyboard, forward, backward and around the end', () => {
    const { board, drag, key, reported } = start()
    expect(key('d')).toBe(true)
    expect(reported).toEqual(['No drawings yet.'])
    board.choose('trend')
    drag([100, 100], [200, 100])
    board.choose('ray')
    drag([300, 300], [400, 350])
    key('Escape')
    const selected = (name: string, shiftKey = false) => (key(name, { shiftKey }), board.state().selected?.kind)
    expect([selected('d'), selected('d'), selected('d'), selected('D', true)]).toEqual(['trend', 'ray', 'trend', 'ray'])
    expect(reported.at(-1)).toContain('Ray, drawing 2 of 2, selected.')
    // Choosing the active tool again deselects it.
    board.choose('measure')
    expect([selected('d'), board.state().tool]).toEqual(['trend', undefined])
  })

  it('gets the chosen colour, and so does the next one', () => {
    const { board, drag, saved } = withLine()
    board.setColour('warn')
    expect(saved.at(-1)).toMatchObject([{ colour: 'warn' }])
    board.choose('ray')
    drag([300, 300], [400, 350])
    expect(saved.at(-1)?.[1]).toMatchObject({ kind: 'ray', colour: 'warn' })
  })

  it('of text is edited by a press on the selected one', () => {
    const { board, click, asked, saved } = start()
    board.choose('text')
    click(100, 100)
    asked[0]?.done('Zone')
    click(105, 100)
    expect(asked.at(-1)?.before).toBe('Zone')
    asked.at(-1)?.done('New')
    expect(saved.at(-1)).toMatchObject([{ text: 'New' }])
  })

  it('is replaced by what another device has saved, and undo does not bring it back', () => {
    const { board, key } = withLine()
    board.load([])
    expect(board.state()).toMatchObject({ selected: undefined, canUndo: false, count: 0 })
    key('z', { ctrlKey: true })
    expect(board.shown()).toEqual([])
  })
})
