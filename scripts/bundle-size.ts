// Checks the download size of a first visit of each page, files and compressed bytes, against the budget of bundle-budget.json.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { built, firstLoadFiles, readBudget } from './first-load.ts'

/** Bytes as served: the build compresses files that get smaller. */
function sizesOf(file: string): { brotli: number; gzip: number } {
  const path = join(built, file)
  const served = (suffix: string): number => (statSync(path + suffix, { throwIfNoEntry: false }) ?? statSync(path)).size
  return { brotli: served('.br'), gzip: served('.gz') }
}

/** The server compresses the page itself, after it has filled it. */
function sizeOfPage(name: string): { brotli: number; gzip: number } {
  const html = readFileSync(join(built, name))
  return { brotli: brotliCompressSync(html).length, gzip: gzipSync(html).length }
}

function preloadedFonts(): string[] {
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  return [...html.matchAll(/<link[^>]*as="font"[^>]*>/g)]
    .map(([tag]) => /href="\/([^"]+)"/.exec(tag)?.[1] ?? '')
    .filter((name) => name !== '')
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(12) + cells.map((cell) => String(cell).padStart(10)).join('')
}

const budget = readBudget()
const over: string[] = []
const note = (name: string, value: number, max: number) => {
  if (value > max) over.push(`${name}: ${value}, the budget is ${max}`)
}

console.log(row('page', ['files', 'budget', 'brotli', 'budget', 'gzip', 'budget']))
for (const [name, page] of Object.entries(budget.pages)) {
  const sizes = [sizeOfPage(page.document), ...firstLoadFiles(page).map(sizesOf)]
  const brotli = sizes.reduce((sum, size) => sum + size.brotli, 0)
  const gzip = sizes.reduce((sum, size) => sum + size.gzip, 0)
  note(`${name}, files`, sizes.length, page.filesMax)
  note(`${name}, brotli bytes`, brotli, page.brotliBytesMax)
  note(`${name}, gzip bytes`, gzip, page.gzipBytesMax)
  console.log(row(name, [sizes.length, page.filesMax, brotli, page.brotliBytesMax, gzip, page.gzipBytesMax]))
}
// Fonts are already compressed, and the same for every page.
const fonts = preloadedFonts()
const fontBytes = fonts.reduce((sum, font) => sum + readFileSync(join(built, font)).length, 0)
note('fonts, bytes', fontBytes, budget.fontBytesMax)
console.log(row('fonts', [fonts.length, '', fontBytes, budget.fontBytesMax, '', '']))

if (over.length > 0) {
  console.error(`\nOver the budget:\n${over.join('\n')}`)
  process.exit(1)
}
