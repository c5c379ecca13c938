// Resolves a minified stack through the source maps of this build.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { findSourcePosition, type SourceMapText } from './source-position.ts'

/** Bounds the work per report. */
const mapsPerStackMax = 4
const framesMax = 30

/** `at name (https://host/assets/chunk.js:1:2)` and `name@https://host/assets/chunk.js:1:2`. */
const frame =
  /^(?<lead>\s*at (?:async )?)?(?<name>.*?)(?<open> ?\(|@)?https?:\/\/[^\s/]+\/assets\/(?<chunk>[\w.-]+\.js):(?<line>\d+):(?<column>\d+)\)?$/

const mapSchema = z.object({ sources: z.array(z.string().nullable()), mappings: z.string() })

export type ResolveStack = (stack: string) => Promise<string>

/** Resolves stacks with the maps in `folder`, one after the other; a frame without a map or a source is kept. */
export function stackResolver(folder: string | undefined): ResolveStack {
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
  const place = `${found.source.replace(/^(?:\.\.\/)+/, '')}:${found.line + 1}:${found.column + 1}`
  return `${lead || '    at '}${name === '' ? place : `${name} (${place})`}`
}
