// Checks file names, repeated names, fragments and the size of the product against structure.json, which only shrinks.
// Run: npm run lint:structure, and with -- --record after a change that is meant; its commit says why.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { productFiles } from './structure/product-files.ts'
import { fragmentFiles, misnamedFiles, repeatedExports } from './structure/structure-rules.ts'

interface StructureRecord {
  /** Folders that the rules for names and fragments leave out until they are rewritten. */
  readonly exceptions: readonly string[]
  readonly lines: number
  readonly files: number
  readonly misnamed: readonly string[]
  readonly repeated: readonly string[]
  readonly fragments: readonly string[]
}

const root = path.join(import.meta.dirname, '..')
const recordFile = path.join(root, 'structure.json')
const linesMax = 400
const record = JSON.parse(readFileSync(recordFile, 'utf8')) as StructureRecord
const all = productFiles(root)
const checked = all.filter(({ file }) => !record.exceptions.some((folder) => file.startsWith(`${folder}/`)))
const found: StructureRecord = {
  exceptions: record.exceptions,
  lines: all.reduce((sum, { lines }) => sum + lines, 0),
  files: all.length,
  misnamed: misnamedFiles(checked),
  repeated: repeatedExports(checked),
  fragments: fragmentFiles(checked),
}
if (process.argv.includes('--record')) writeFileSync(recordFile, `${JSON.stringify(found, undefined, 2)}\n`)
else {
  const problems = [
    ...news('No export is named like the file', 'misnamed'),
    ...news('Declared more than once', 'repeated'),
    ...news(`Fragment, belongs into its only importer`, 'fragments'),
    ...(['lines', 'files'] as const)
      .filter((size) => found[size] > record[size])
      .map((size) => `The product has ${found[size]} ${size}, the record says ${record[size]}.`),
  ]
  for (const problem of problems) console.error(problem)
  for (const { file, lines } of all) if (lines > linesMax) console.log(`Warning: ${file} has ${lines} lines, more than ${linesMax}.`)
  console.log(
    `${found.lines} lines in ${found.files} files; ${found.misnamed.length} misnamed, ${found.repeated.length} names repeated, ${found.fragments.length} fragments`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}

/** What the record does not have, and what it has that is gone: a list that is not shortened would let it come back. */
function news(meaning: string, list: 'misnamed' | 'repeated' | 'fragments'): readonly string[] {
  const added = found[list].filter((entry) => !record[list].includes(entry)).map((entry) => `${meaning}: ${entry}`)
  const gone = record[list].filter((entry) => !found[list].includes(entry)).map((entry) => `No longer so, record it: ${entry}`)
  return [...added, ...gone]
}
