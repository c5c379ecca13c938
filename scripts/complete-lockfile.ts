// Adds missing hashes to package-lock.json from the registry; prints those that the registry lacks. Run: node scripts/complete-lockfile.ts
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const file = path.resolve(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version: string; integrity?: string }> }
let missing = 0

for (const [place, entry] of Object.entries(lock.packages)) {
  if (place === '' || entry.integrity !== undefined) continue
  const wanted = `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`
  const answer = await run('npm', ['view', wanted, 'dist.integrity']).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
  if (answer.startsWith('sha512-')) {
    // npm's order of the fields of an entry.
    const { version, ...rest } = entry
    lock.packages[place] = { version, integrity: answer, ...rest }
  } else {
    missing += 1
    process.stdout.write(`not in this registry: ${wanted}\n`)
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.exit(missing === 0 ? 0 : 1)
