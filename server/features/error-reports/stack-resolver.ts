// Resolves a minified stack through the source maps of this build.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'

/** Bounds the work per report. */
const mapsPerStackMax = 4
const framesMax = 30

/** `at name (https://host/assets/chunk.js:1:2)` and `name@https://host/assets/chunk.js:1:2`. */
const frame =
  /^(?<lead>\s*at (?:async )?)?(?<name>.*?)(?<open> ?\(|@)?https?:\/\/[^\s/]+\/assets\/(?<chunk>[\w.-]+\.js):(?<line>\d+):(?<column>\d+)\)?$/

/** Mappings have lines by semicolons and segments by commas: column, source, source line, source column, name; differences in base 64. */
const mapSchema = z.object({ sources: z.array(z.string().nullable()), mappings: z.string() })
type SourceMapText = z.output<typeof mapSchema>

/** Resolves stacks with the maps in `folder`, one after the other; a frame without a map or a source is kept. */
export function stackResolver(folder: string | undefined): (stack: string) => Promise<string> {
  let running: Promise<unknown> = Promise.resolve()

  async function read(chunk: string): Promise<SourceMapText | undefined> {
    const text = folder === undefined ? undefined : await readFile(join(folder, `${chunk}.map`), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : mapSchema.safeParse(parseJson(text)).data
  }

  async function resolve(stack: string): Promise<string> {
    const maps = new Map<string, SourceMapText | undefined>()
    const resolved: string[] = []
    for (const line of stack.split('\n').slice(0, framesMax)) {
      const { lead = '', name = '', chunk = '', line: row, column } = frame.exec(line)?.groups ?? {}
      if (chunk !== '' && !maps.has(chunk) && maps.size < mapsPerStackMax) maps.set(chunk, await read(chunk))
      const map = maps.get(chunk)
      resolved.push((map && frameOf(map, Number(row), Number(column), { lead, name })) ?? line)
    }
    return resolved.join('\n')
  }

  return (stack) => {
    const result = running.then(() => resolve(stack))
    running = result.catch(() => undefined)
    return result
  }
}

function frameOf(map: SourceMapText, line: number, column: number, { lead, name }: { lead: string; name: string }): string | undefined {
  const found = findSourcePosition(map, line - 1, column - 1)
  if (found === undefined) return undefined
  const position = `${found.source.replace(/^(?:\.\.\/)+/, '')}:${found.line + 1}:${found.column + 1}`
  return `${lead || '    at '}${name === '' ? position : `${name} (${position})`}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * The source of a generated position, both from 0; undefined where the map names none. Reads the mappings once, without
 * keeping them: parsed ones are 30 times as large.
 */
export function findSourcePosition({ sources, mappings }: SourceMapText, line: number, column: number) {
  let found: { source: string; line: number; column: number } | undefined
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
