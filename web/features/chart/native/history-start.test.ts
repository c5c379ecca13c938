// The start of a chart's data: notifications when it enters or leaves the view.
import { expect, test } from 'vitest'
import { historyStart } from './history-start.ts'

test('a change is reported once, and only when the first bar is the start of the data', () => {
  const notified: boolean[] = []
  const start = historyStart(() => void notified.push(start.isSeen()))
  start.see(0)
  start.see(-3)
  expect(notified).toEqual([])
  start.set(true)
  start.see(-1)
  start.see(12)
  start.set(false)
  start.see(0)
  expect(notified).toEqual([true, false])
})
