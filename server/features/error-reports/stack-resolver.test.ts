// Positions in source maps, against the parser of Node.
import { SourceMap, type SourceMapping } from 'node:module'
import { describe, expect, test } from 'vitest'
import { findSourcePosition } from './stack-resolver.ts'

/** Of two lines: `one.ts`, nothing, `two.ts` at large differences; then a line whose source the map does not name. */
const map = { sources: ['one.ts', 'two.ts', null], mappings: 'AAAA,E,KCgkCgBA;;AACAA,+BDnFbG;AEAA' }

describe('a position', () => {
  test.each([
    [0, 0, { source: 'one.ts', line: 0, column: 0 }],
    [0, 1, { source: 'one.ts', line: 0, column: 0 }],
    [0, 2, undefined],
    [0, 7, { source: 'two.ts', line: 1088, column: 16 }],
    [0, 9_999, { source: 'two.ts', line: 1088, column: 16 }],
    [1, 5, undefined],
    [3, 0, undefined],
    [9, 0, undefined],
    [-1, 0, undefined],
    [0, -1, undefined],
    [Number.NaN, Number.NaN, undefined],
  ])('of line %i and column %i', (line, column, expected) => {
    expect(findSourcePosition(map, line, column)).toEqual(expected)
  })

  test('is the one that Node finds, wherever the map names a source', () => {
    const sources = ['one.ts', 'two.ts', 'three.ts']
    const parsed = new SourceMap({ version: 3, names: [], sourceRoot: '', file: '', sources, mappings: map.mappings } as never)
    for (const line of [0, 1, 2])
      for (let column = 0; column < 100; column += 1) {
        const found = findSourcePosition({ sources, mappings: map.mappings }, line, column)
        const { originalSource: source, originalLine, originalColumn } = parsed.findEntry(line, column) as Partial<SourceMapping>
        const expected = source === undefined ? undefined : { source, line: originalLine, column: originalColumn }
        // Before the first position of a line Node answers with the last of the line before.
        if (line === 0) expect(found).toEqual(expected)
        else expect([expected, undefined]).toContainEqual(found)
      }
  })

  test.each(['', ';', ',,;;,', '!!!!', 'A', 'g', 'ggggggggggggggggggggg'])('in the mappings %j is none', (mappings) => {
    expect(findSourcePosition({ sources: [], mappings }, 0, 0)).toBeUndefined()
  })
})
