// The board under a scripted pointer and keyboard, on a chart of one pixel a minute and a point.
import { describe, expect, it } from 'vitest'
import { drawingKinds, drawingListSchema, drawingsMax, type Drawing } from '#shared/market/drawings/drawing.ts'
import { plainMapping, plainTexts } from '#shared/market/drawings/testing/random-drawings.ts'
import { drawingBoard } from './drawing-board.ts'

const minute = 60_000
const at = (x: number, y: number) => ({ timeMs: x * minute, price: 400 - y })

function start({ hasCandles = true } = {}) {
  const saved: (readonly Drawing[])[] = []
  const said: string[] = []
  const asked: { before: string; done: (text: string) => void }[] = []
  let full = 0
  let id = 0
  const board = drawingBoard({
    mapping: () => (hasCandles ? plainMapping : undefined),
    barAt: () => ({ timeMs: 100 * minute, open: 300, high: 320, low: 290, close: 310 }),
    timeAfter: (timeMs, bars) => timeMs + bars * minute,
    tickSize: 0.05,
    texts: plainTexts,
    newId: () => `d${(id += 1)}`,
    onChange: (drawings) => saved.push(drawings),
    say: (sentence) => said.push(sentence),
    askText: (before, done) => asked.push({ before, done }),
    onFull: () => (full += 1),
  })
  return {
    board,
    saved,
    said,
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

describe('the chart keeps what the board does not take', () => {
  it('a press before the first candle, and one on nothing', () => {
    expect(start({ hasCandles: false }).click(5, 5)).toBe(false)
    const { click, key, saved } = start()
    expect(click(5, 5)).toBe(false)
    for (const name of ['ArrowLeft', 'Escape', 'Delete', 'Enter', '+']) expect(key(name)).toBe(false)
    expect(saved).toEqual([])
  })

  it('the first touch on a drawing, which only selects it', () => {
    const { board, drag, anchors } = start()
    board.load([{ id: 'a', kind: 'horizontal', anchors: [at(0, 100)], colour: 'up', width: 1, text: '' }])
    expect(drag([50, 115], [50, 180], 'touch')).toBe(false)
    expect(board.state().selected?.id).toBe('a')
    expect(drag([50, 115], [50, 180], 'touch')).toBe(true)
    expect(anchors()).toEqual([[at(0, 165)]])
  })
})

describe('drawing', () => {
  it('by two clicks and by one drag gives the same line, selects it and gives the tool back', () => {
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
    expect(dragged.said.at(-1)).toBe(
      'Trend line drawn. Trend line selected. Arrow keys move it, Enter chooses which end, Delete removes it, Escape lets go.',
    )
  })

  it('of every kind is something that can be saved', () => {
    for (const kind of drawingKinds) {
      const { board, drag, asked, saved } = start()
      board.choose(kind)
      drag([100, 100], [200, 150])
      asked[0]?.done('Zone')
      expect(drawingListSchema.parse(saved.at(-1))).toMatchObject([{ kind, text: kind === 'text' ? 'Zone' : '' }])
    }
  })

  it('both ends on one place is nothing', () => {
    const { board, click, saved } = start()
    board.choose('rectangle')
    click(10, 10)
    click(10, 10)
    expect([saved, board.shown()]).toEqual([[], []])
  })

  it('without a pointer puts it into the middle, where the arrows move it or one of its ends', () => {
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

  it('with the magnet takes the price of the bar nearby', () => {
    const { board, drag, anchors } = start()
    board.setMagnet(true)
    board.choose('trend')
    drag([103, 93], [300, 300])
    expect(anchors()[0]?.[0]).toEqual({ timeMs: 100 * minute, price: 310 })
  })

  it('of more than 500 is told and not done', () => {
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

  it('is given up by Escape and by a second finger', () => {
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

describe('a drawing that is there', () => {
  function withLine() {
    const world = start()
    world.board.choose('trend')
    world.drag([100, 100], [200, 100])
    return world
  }

  it('is moved by its body, changed at its handle, and a click alone changes nothing', () => {
    const { click, drag, anchors, saved } = withLine()
    click(150, 100)
    expect(saved).toHaveLength(1)
    drag([150, 102], [160, 122])
    expect(anchors()).toEqual([[at(110, 120), at(210, 120)]])
    drag([210, 120], [300, 50])
    expect(anchors()).toEqual([[at(110, 120), at(300, 50)]])
    expect(saved).toHaveLength(3)
  })

  it('is removed, comes back by undo and goes by redo', () => {
    const { board, key, saved } = withLine()
    expect(key('Delete')).toBe(true)
    expect(board.shown()).toEqual([])
    key('z', { ctrlKey: true })
    expect(board.shown()).toHaveLength(1)
    key('y', { ctrlKey: true })
    expect(board.shown()).toEqual([])
    expect(saved.map((list) => list.length)).toEqual([1, 0, 1, 0])
  })

  it('is found by the keyboard: the first one, the next one, and back around the end', () => {
    const { board, drag, key, said } = start()
    expect(key('d')).toBe(true)
    expect(said).toEqual(['There is no drawing yet.'])
    board.choose('trend')
    drag([100, 100], [200, 100])
    board.choose('ray')
    drag([300, 300], [400, 350])
    key('Escape')
    const selected = (name: string, shiftKey = false) => (key(name, { shiftKey }), board.state().selected?.kind)
    expect([selected('d'), selected('d'), selected('d'), selected('D', true)]).toEqual(['trend', 'ray', 'trend', 'ray'])
    expect(said.at(-1)).toContain('Ray, drawing 2 of 2, selected.')
    // A tool that was taken up is put down.
    board.choose('measure')
    expect([selected('d'), board.state().tool]).toEqual(['trend', undefined])
  })

  it('takes the chosen colour, which the next one has as well', () => {
    const { board, drag, saved } = withLine()
    board.setColour('warn')
    expect(saved.at(-1)).toMatchObject([{ colour: 'warn' }])
    board.choose('ray')
    drag([300, 300], [400, 350])
    expect(saved.at(-1)?.[1]).toMatchObject({ kind: 'ray', colour: 'warn' })
  })

  it('of text is written anew by a press on the selected one', () => {
    const { board, click, asked, saved } = start()
    board.choose('text')
    click(100, 100)
    asked[0]?.done('Zone')
    click(105, 100)
    expect(asked.at(-1)?.before).toBe('Zone')
    asked.at(-1)?.done('New')
    expect(saved.at(-1)).toMatchObject([{ text: 'New' }])
  })

  it('gives way to what another device has saved, and cannot be undone into it', () => {
    const { board, key } = withLine()
    board.load([])
    expect(board.state()).toMatchObject({ selected: undefined, canUndo: false, count: 0 })
    key('z', { ctrlKey: true })
    expect(board.shown()).toEqual([])
  })
})
