// Arithmetic of time spans against sets of integers.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { addSpan, intersectSpans, subtractSpans, type TimeSpan } from './time-span.ts'

const span = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 8 }))
  .map(([fromMs, width]) => ({ fromMs, toMs: fromMs + width }))
const some = fc.array(span, { maxLength: 8 })

const listOf = (added: readonly TimeSpan[]): TimeSpan[] => added.reduce<TimeSpan[]>(addSpan, [])
const pointsOf = (spans: readonly TimeSpan[]): Set<number> =>
  new Set(spans.flatMap(({ fromMs, toMs }) => Array.from({ length: toMs - fromMs }, (_, index) => fromMs + index)))

test('union, intersection and difference equal those of sets', async () => {
  await assertProperty(
    fc.property(some, some, (first, second) => {
      const [one, other] = [listOf(first), listOf(second)]
      expect(pointsOf(one)).toEqual(pointsOf(first))
      expect(pointsOf(intersectSpans(one, other))).toEqual(pointsOf(one).intersection(pointsOf(other)))
      expect(pointsOf(subtractSpans(one, other))).toEqual(pointsOf(one).difference(pointsOf(other)))
      for (const list of [one, intersectSpans(one, other), subtractSpans(one, other)])
        for (const [index, { fromMs, toMs }] of list.entries()) {
          expect(fromMs).toBeLessThan(toMs)
          expect(fromMs).toBeGreaterThan(list[index - 1]?.toMs ?? -1)
        }
    }),
  )
})

test('spans without an end are supported', () => {
  const all = [{ fromMs: -Infinity, toMs: Infinity }]
  expect(subtractSpans([{ fromMs: 1, toMs: 5 }], all)).toEqual([])
  expect(intersectSpans(all, [{ fromMs: 1, toMs: 5 }])).toEqual([{ fromMs: 1, toMs: 5 }])
  expect(subtractSpans(all, [{ fromMs: 1, toMs: 5 }])).toEqual([
    { fromMs: -Infinity, toMs: 1 },
    { fromMs: 5, toMs: Infinity },
  ])
})
