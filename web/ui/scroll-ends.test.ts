import { expect, test } from 'vitest'
import { scrollEnds } from './scroll-ends.ts'

const sized = { scrollLeft: 0, clientWidth: 100, scrollWidth: 100, scrollTop: 0, clientHeight: 400, scrollHeight: 400 }

test.for([
  ['everything fits', {}, 'y', { hasBefore: false, hasAfter: false }],
  ['at the start', { scrollHeight: 600 }, 'y', { hasBefore: false, hasAfter: true }],
  ['in the middle', { scrollHeight: 600, scrollTop: 80 }, 'y', { hasBefore: true, hasAfter: true }],
  ['at the end', { scrollHeight: 600, scrollTop: 200 }, 'y', { hasBefore: true, hasAfter: false }],
  ['a fraction before the end', { scrollHeight: 600, scrollTop: 199.5 }, 'y', { hasBefore: true, hasAfter: false }],
  ['the other axis', { scrollWidth: 300 }, 'y', { hasBefore: false, hasAfter: false }],
  ['sideways', { scrollWidth: 300, scrollLeft: 20 }, 'x', { hasBefore: true, hasAfter: true }],
] as const)('%s', ([, change, axis, ends]) => {
  expect(scrollEnds({ ...sized, ...change }, axis)).toEqual(ends)
})
