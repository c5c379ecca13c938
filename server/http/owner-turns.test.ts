// Turns by owner: the order, what gives way when all places are taken, and as a property that a newcomer is never refused.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { OwnerTurns } from './owner-turns.ts'

const options = { runningMax: 2, runningPerOwner: 1, waitingMax: 4, perPart: 10 }

/** Begins work such as `a1` of owner a, which runs until it is ended. */
function workOf(turns: OwnerTurns) {
  const running = new Map<string, () => void>()
  const done: string[] = []
  const refused: string[] = []
  const begin = (name: string, part = name): void => {
    const owner = name.replace(/\d+$/, '')
    const work = () => new Promise<void>((resolve) => running.set(name, resolve))
    void turns.take({ owner, part }, work).then(
      () => done.push(name),
      () => refused.push(name),
    )
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    done,
    refused,
    names: () => [...running.keys()].join(' '),
    async begin(...names: string[]) {
      for (const name of names) begin(name)
      await turn()
    },
    beginPart: async (name: string, part: string) => {
      begin(name, part)
      await turn()
    },
    async end(name: string) {
      running.get(name)?.()
      running.delete(name)
      await turn()
    },
  }
}

describe('turns by owner', () => {
  it('gives an owner its own places only, and the next free one to the next owner in turn', async () => {
    const work = workOf(new OwnerTurns(options))
    await work.begin('a1', 'a2', 'b1', 'b2', 'c1')
    expect(work.names()).toBe('a1 b1')
    await work.end('b1')
    expect(work.names()).toBe('a1 b2')
    await work.end('a1')
    expect(work.names()).toBe('b2 a2')
    await work.end('b2')
    expect(work.names()).toBe('a2 c1')
  })

  it('drops the newest work of the longest backlog, and a newcomer is not refused', async () => {
    const work = workOf(new OwnerTurns(options))
    await work.begin('a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'c1')
    expect(work.refused).toEqual(['a4'])
    await work.begin('b3')
    expect(work.refused).toEqual(['a4', 'b3'])
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3']) await work.end(name)
    expect(work.done).toHaveLength(6)
  })

  it('refuses a newcomer only if all others wait for as little', async () => {
    const work = workOf(new OwnerTurns(options))
    await work.begin('a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1')
    expect(work.refused).toEqual(['g1'])
  })

  it('bounds what one part of an owner has under way, without touching the rest', async () => {
    const work = workOf(new OwnerTurns({ ...options, perPart: 2 }))
    for (const name of ['a1', 'a2', 'a3']) await work.beginPart(name, 'same')
    expect(work.refused).toEqual(['a3'])
    await work.beginPart('a4', 'other')
    expect(work.refused).toEqual(['a3'])
    await work.end('a1')
    await work.beginPart('a5', 'same')
    expect(work.refused).toEqual(['a3'])
  })

  it('frees the place of work that fails', async () => {
    const turns = new OwnerTurns({ ...options, runningMax: 1 })
    await expect(turns.take({ owner: 'a', part: '' }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await turns.take({ owner: 'b', part: '' }, () => Promise.resolve(1))).toBe(1)
    expect(turns.waiting).toBe(0)
  })

  it('serves a newcomer beside any backlogs of fewer owners than waiting places, and everything ends', async () => {
    await assertProperty(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 3 }), async (backlogs) => {
        const turns = new OwnerTurns(options)
        const work = workOf(turns)
        for (const [owner, count] of backlogs.entries())
          await work.begin(...Array.from({ length: count }, (_, index) => `${'abc'[owner] ?? ''}${index}`))
        await work.begin('z1')
        expect(work.refused).not.toContain('z1')
        while (work.names() !== '') await work.end(work.names().split(' ')[0] ?? '')
        expect(work.done).toContain('z1')
        expect(turns.waiting).toBe(0)
        expect(work.done.length + work.refused.length).toBe(backlogs.reduce((sum, count) => sum + count, 1))
      }),
    )
  })
})
