// Determines which files a first visit of a page downloads, from the build manifest and the pages of bundle-budget.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')

/** Folder of the built pages. */
export const built = join(root, 'dist/web')

const chunkSchema = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})
const manifestSchema = z.record(z.string(), chunkSchema)
const budgetSchema = z.object({
  fontBytesMax: z.number(),
  pages: z.record(
    z.string(),
    // `document` is the built page; `chunks` are the modules that it loads in addition to its entry, as their importers name them.
    z.object({
      document: z.string(),
      entry: z.string(),
      chunks: z.array(z.string()),
      filesMax: z.number(),
      brotliBytesMax: z.number(),
      gzipBytesMax: z.number(),
    }),
  ),
})

export type PageBudget = z.output<typeof budgetSchema>['pages'][string]
type Manifest = z.output<typeof manifestSchema>

export function readBudget(): z.output<typeof budgetSchema> {
  return read(join(root, 'bundle-budget.json'), budgetSchema)
}

/**
 * Scripts and styles of a first visit, as paths inside the build.
 * @throws Error if a chunk is not a module of the build, such as after a rename
 */
export function firstLoadFiles({ entry, chunks }: Pick<PageBudget, 'entry' | 'chunks'>): readonly string[] {
  const manifest = read(join(built, '.vite/manifest.json'), manifestSchema)
  // Every page has the styles of the app.
  const styles = filesOf(manifest, 'index.html').filter((file) => file.endsWith('.css'))
  return [...new Set([...styles, ...[entry, ...chunks].flatMap((name) => filesOf(manifest, name))])]
}

/** Files of a module and of all its static imports; dynamic imports do not count. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`bundle-budget.json names ${name}, which is no chunk of the build`)
  if (seen.has(name)) return []
  seen.add(name)
  return [chunk.file, ...chunk.css, ...chunk.imports.flatMap((imported) => filesOf(manifest, imported, seen))]
}

function read<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
