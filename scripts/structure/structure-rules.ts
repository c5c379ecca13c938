import path from 'node:path'
import type { ProductFile } from './product-files.ts'

/** Names that say what a file is for in every feature; the durations are four constants of equal rank. */
const conventions = new Set([
  'api',
  'app',
  'contract',
  'durations',
  'main',
  'protocol',
  'repository',
  'routes',
  'rules',
  'service',
  'text',
  'types',
])
const fragmentLines = 40

/** Files whose exports do not include one of the file's own name; entries export nothing, texts are named after their feature. */
export function misnamedFiles(files: readonly ProductFile[]): readonly string[] {
  const isMisnamed = ({ file, exports }: ProductFile): boolean =>
    exports.length > 0 && !isConvention(file) && !exports.some((name) => isNamedLike(file, name))
  return files.filter(isMisnamed).map(({ file }) => file)
}

/** Names declared by several files of one part, with the files: `web Notice: web/a.tsx, web/b.tsx`. */
export function repeatedExports(files: readonly ProductFile[]): readonly string[] {
  const places = new Map<string, string[]>()
  for (const { file, exports } of files) {
    for (const name of exports) {
      const key = `${file.split('/')[0] ?? ''} ${name}`
      places.set(key, [...(places.get(key) ?? []), file])
    }
  }
  return [...places].filter(([, found]) => found.length > 1).map(([key, found]) => `${key}: ${found.join(', ')}`)
}

/** Files under 40 lines whose only importer is in the same folder. Lazy imports do not count: they need a file of their own. */
export function fragmentFiles(files: readonly ProductFile[]): readonly string[] {
  const importers = new Map<string, string[]>()
  for (const { file, imports } of files) for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), file])
  const isFragment = ({ file, lines }: ProductFile): boolean => {
    const [importer, ...others] = importers.get(file) ?? []
    if (importer === undefined || others.length > 0 || lines >= fragmentLines || isConvention(file)) return false
    return path.posix.dirname(importer) === path.posix.dirname(file)
  }
  return files.filter(isFragment).map(({ file }) => file)
}

const baseName = (file: string): string => path.posix.basename(file).replace(/\.\w+$/, '')
const isConvention = (file: string): boolean => conventions.has(baseName(file)) || /\/text\/en\b/.test(file) || file.includes('.worker.')
/** `xOf` is x of its argument, and `Ms` is the unit: neither is part of the file's name. `x-contract` has the routes of x. */
const isNamedLike = (file: string, name: string): boolean => {
  const expected = plain(baseName(file).replace(/-contract$/, '-routes'))
  return plain(name) === expected || plain(name.replace(/(?:Of|Ms)$/, '')) === expected
}
const plain = (name: string): string => name.replaceAll(/\W/g, '').toLowerCase()
