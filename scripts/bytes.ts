// Measures what a first visit of each page downloads, compressed, against the budget of bytes.json; fails above it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/web')

const chunkSchema = z.object({
  file: z.string(),
  isEntry: z.boolean().default(false),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})
const manifestSchema = z.record(z.string(), chunkSchema)
const budgetSchema = z.object({
  fontBytesMax: z.number(),
  pages: z.record(
    z.string(),
    // `chunks` are the modules that this page fetches beside the entry, as the router imports them.
    z.object({ chunks: z.array(z.string()), brotliBytesMax: z.number(), gzipBytesMax: z.number() }),
  ),
})

type Manifest = z.output<typeof manifestSchema>

/** Files of a module and of all that it imports at once; what it only may import later does not count. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`bytes.json names ${name}, which is no chunk of the build`)
  if (seen.has(name)) return []
  seen.add(name)
  return [chunk.file, ...chunk.css, ...chunk.imports.flatMap((imported) => filesOf(manifest, imported, seen))]
}

function sizesOf(file: string): { brotli: number; gzip: number } {
  const bytes = readFileSync(join(built, file))
  return { brotli: brotliCompressSync(bytes).length, gzip: gzipSync(bytes, { level: 9 }).length }
}

function preloadedFonts(): string[] {
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  return [...html.matchAll(/<link[^>]*as="font"[^>]*>/g)]
    .map(([tag]) => /href="\/([^"]+)"/.exec(tag)?.[1] ?? '')
    .filter((name) => name !== '')
}

function read<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(12) + cells.map((cell) => String(cell).padStart(10)).join('')
}

const manifest = read(join(built, '.vite/manifest.json'), manifestSchema)
const budget = read(join(root, 'bytes.json'), budgetSchema)
const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
const over: string[] = []
const note = (name: string, bytes: number, max: number) => bytes > max && over.push(`${name}: ${bytes} bytes, the budget is ${max}`)

console.log(row('page', ['files', 'brotli', 'budget', 'gzip', 'budget']))
for (const [name, page] of Object.entries(budget.pages)) {
  const files = new Set(['index.html', ...[...entries, ...page.chunks].flatMap((chunk) => filesOf(manifest, chunk))])
  const sizes = [...files].map(sizesOf)
  const brotli = sizes.reduce((sum, size) => sum + size.brotli, 0)
  const gzip = sizes.reduce((sum, size) => sum + size.gzip, 0)
  note(`${name}, brotli`, brotli, page.brotliBytesMax)
  note(`${name}, gzip`, gzip, page.gzipBytesMax)
  console.log(row(name, [files.size, brotli, page.brotliBytesMax, gzip, page.gzipBytesMax]))
}
const fonts = preloadedFonts()
const fontBytes = fonts.reduce((sum, font) => sum + readFileSync(join(built, font)).length, 0)
note('fonts', fontBytes, budget.fontBytesMax)
console.log(row('fonts', [fonts.length, fontBytes, budget.fontBytesMax, '', '']))

if (over.length > 0) {
  console.error(`\nOver the budget:\n${over.join('\n')}`)
  process.exit(1)
}
