// Real touch events, so that native browser behaviour, such as scrolling, happens too.
import type { Page } from '@playwright/test'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Fingers {
  /** Touches, moves and releases; the browser has handled it when this resolves. */
  down(...points: readonly Point[]): Promise<void>
  move(...points: readonly Point[]): Promise<void>
  up(): Promise<void>
  /** Drags with one finger between two points. */
  drag(from: Point, to: Point): Promise<void>
  /** Pinches with two fingers around a point, from one distance to another. */
  pinch(middle: Point, fromPx: number, toPx: number): Promise<void>
  tap(point: Point): Promise<void>
}

const steps = 8

export async function fingersOn(page: Page): Promise<Fingers> {
  const line = await page.context().newCDPSession(page)
  const send = async (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) => {
    await line.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) })
  }
  const fingers: Fingers = {
    down: (...points) => send('touchStart', points),
    move: (...points) => send('touchMove', points),
    up: () => send('touchEnd', []),
    async drag(from, to) {
      await fingers.down(from)
      for (let step = 1; step <= steps; step += 1) await fingers.move(between(from, to, step / steps))
      await fingers.up()
    },
    async pinch({ x, y }, fromPx, toPx) {
      const pair = (distance: number): [Point, Point] => [
        { x: x - distance / 2, y },
        { x: x + distance / 2, y },
      ]
      // Both at once: on a busy machine the first one alone would count as a long press.
      await fingers.down(...pair(fromPx))
      for (let step = 1; step <= steps; step += 1) await fingers.move(...pair(fromPx + ((toPx - fromPx) * step) / steps))
      await fingers.up()
    },
    async tap(point) {
      await fingers.down(point)
      await fingers.up()
    },
  }
  return fingers
}

function between(from: Point, to: Point, part: number): Point {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}
