// A list that looks different has a different signature, whatever changed.
import { describe, expect, it } from 'vitest'
import { createPointList, type PointList } from '#shared/indicators/lib/point-list.ts'
import { listSignature } from './list-signature.ts'

function corners(): PointList {
  const points = createPointList(8)
  points.count = 3
  points.index.set([0, 4, 9])
  points.price.set([100, 90, 104])
  points.changePercent.set([Number.NaN, -10, 15.5])
  points.isProjected.set([0, 0, 1])
  return points
}

describe('the signature of a list', () => {
  it('is the same for the same corners', () => expect(listSignature(corners())).toBe(listSignature(corners())))

  it.for<readonly [string, (points: PointList) => void]>([
    ['a price', ({ price }) => void (price[2] = 104.05)],
    ['a place', ({ index }) => void (index[2] = 10)],
    ['a volume that became known', ({ volume }) => void (volume[1] = 0)],
    ['what is settled', ({ isProjected }) => void (isProjected[2] = 0)],
    ['two that changed places', ({ price }) => price.set([90, 100], 0)],
    ['one more', (points) => void (points.count += 1)],
    ['one fewer', (points) => void (points.count -= 1)],
  ])('differs with %s', ([, change]) => {
    const points = corners()
    change(points)
    expect(listSignature(points)).not.toBe(listSignature(corners()))
  })

  it('ignores entries beyond the length', () => {
    const points = corners()
    points.price[3] = 5
    expect(listSignature(points)).toBe(listSignature(corners()))
  })
})
