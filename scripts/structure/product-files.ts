import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A source file of the product, with what the checks of the structure need. */
export interface ProductFile {
  readonly file: string
  readonly lines: number
  /** Names declared here; what is passed on from another file is not counted. */
  readonly exports: readonly string[]
  /** Files of the project that this one imports when it is loaded. */
  readonly imports: readonly string[]
}

const product = /^(?!.*(?:\.(?:test|d)\.tsx?$|\/testing\/|\/text\/(?!en)[a-z]{2}\b)).*\.tsx?$/
const declaration = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const enum|const|let|enum|type|interface) (\w+)/gm
const importing = /\bfrom '([#.][^']+)'|^import '([#.][^']+)'/gm

/** Files of shared, server and web under version control or new, without tests, fakes and translations. */
export function productFiles(root: string): readonly ProductFile[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', 'shared', 'server', 'web'], { cwd: root, encoding: 'utf8' })
  const files = stdout.split('\n').filter((file) => product.test(file) && existsSync(path.join(root, file)))
  return files.map((file) => parseFile(file, readFileSync(path.join(root, file), 'utf8')))
}

export function parseFile(file: string, text: string): ProductFile {
  const exports = new Set([...text.matchAll(declaration)].flatMap(([, name]) => name ?? []))
  const imports = new Set([...text.matchAll(importing)].map(([, from, bare]) => resolved(file, from ?? bare ?? '')))
  return { file, lines: text.split('\n').length - 1, exports: [...exports], imports: [...imports] }
}

function resolved(file: string, specifier: string): string {
  return specifier.startsWith('#') ? specifier.slice(1) : path.posix.join(path.posix.dirname(file), specifier)
}
