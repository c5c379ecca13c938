// Resolves a minified stack through the source maps of this build.
import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { join } from 'node:path'

/** Parsed maps are several times as large as their file. */
const parsedMapsMax = 8
/** Bounds the work per report. */
const mapsPerStackMax = 4
const framesMax = 30

/** `at name (https://host/assets/chunk.js:1:2)` and `name@https://host/assets/chunk.js:1:2`. */
const frame =
  /^(?<lead>\s*at (?:async )?)?(?<name>.*?)(?<open> ?\(|@)?https?:\/\/[^\s/]+\/assets\/(?<chunk>[\w.-]+\.js):(?<line>\d+):(?<column>\d+)\)?$/

export type ResolveStack = (stack: string) => Promise<string>

/** Resolves stacks with the maps in `folder`; a frame without a map is kept. */
export function stackResolver(folder: string | undefined): ResolveStack {
  const maps = new Map<string, SourceMap | undefined>()

  async function mapOf(chunk: string): Promise<SourceMap | undefined> {
    if (folder === undefined) return undefined
    const known = maps.get(chunk)
    if (known !== undefined) return known
    const text = await readFile(join(folder, `${chunk}.map`), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    const map = new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0])
    maps.set(chunk, map)
    const [oldest] = maps.keys()
    if (maps.size > parsedMapsMax && oldest !== undefined) maps.delete(oldest)
    return map
  }

  return async (stack) => {
    const chunks = new Set<string>()
    const lines = stack.split('\n').slice(0, framesMax)
    const resolved: string[] = []
    for (const line of lines) {
      const { lead = '', name = '', chunk = '', line: row, column } = frame.exec(line)?.groups ?? {}
      const isTooMany = chunks.size === mapsPerStackMax && !chunks.has(chunk)
      const map = chunk === '' || isTooMany ? undefined : await mapOf(chunk)
      if (map !== undefined) chunks.add(chunk)
      resolved.push((map === undefined ? undefined : frameOf(map, Number(row), Number(column), { lead, name })) ?? line)
    }
    return resolved.join('\n')
  }
}

function frameOf(map: SourceMap, line: number, column: number, { lead, name }: { lead: string; name: string }): string | undefined {
  const entry = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in entry)) return undefined
  const place = `${entry.originalSource.replace(/^(?:\.\.\/)+/, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  return `${lead || '    at '}${name === '' ? place : `${name} (${place})`}`
}
