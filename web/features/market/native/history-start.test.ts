// The beginning of a chart's data is told when it comes into view, and when it leaves it.
import { expect, test } from 'vitest'
import { historyStart } from './history-start.ts'

test('a change is told once, and only where the first bar is the beginning', () => {
  const told: boolean[] = []
  const start = historyStart(() => void told.push(start.isSeen()))
  start.see(0)
  start.see(-3)
  expect(told).toEqual([])
  start.set(true)
  start.see(-1)
  start.see(12)
  start.set(false)
  start.see(0)
  expect(told).toEqual([true, false])
})
