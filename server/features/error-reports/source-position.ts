// Finds one position in a source map by reading its mappings once, without keeping them: parsed ones are 30 times as large.

export interface SourceMapText {
  readonly sources: readonly (string | null)[]
  /** Lines by semicolons, segments by commas: column, source, source line, source column, name; differences in base 64. */
  readonly mappings: string
}

export interface SourcePosition {
  readonly source: string
  /** From 0, like the column. */
  readonly line: number
  readonly column: number
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The source of a generated position, both from 0; undefined where the map names none. */
export function findSourcePosition({ sources, mappings }: SourceMapText, line: number, column: number): SourcePosition | undefined {
  let found: SourcePosition | undefined
  const state = [0, 0, 0, 0, 0]
  for (const [row, segments] of mappings.split(';', line + 1).entries()) {
    state[0] = 0
    for (const segment of segments.split(',')) {
      const fields = addDifferences(state, segment)
      if (row < line || fields === 0) continue
      const [start = 0, source = 0, sourceLine = 0, sourceColumn = 0] = state
      if (start > column) return found
      const name = fields < 4 ? undefined : sources[source]
      found = typeof name === 'string' ? { source: name, line: sourceLine, column: sourceColumn } : undefined
    }
  }
  return found
}

/** Adds the numbers of a segment, whose lowest bit is the sign, to those of the segment before; returns how many it has. */
function addDifferences(state: number[], segment: string): number {
  let [fields, value, shift] = [0, 0, 0]
  for (const letter of segment) {
    const digit = alphabet.indexOf(letter)
    value += (digit & 31) << shift
    shift += 5
    if (digit >= 32) continue
    state[fields] = (state[fields] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1)
    fields += 1
    value = 0
    shift = 0
  }
  return fields
}
