// Runs a benchmark by its name, or lists them: npm run bench -- http 5 2
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'bench')
const [name, ...args] = process.argv.slice(2)
const file = join(folder, `${name}.ts`)

if (name === undefined || !existsSync(file)) {
  console.log('npm run bench -- NAME [arguments]')
  for (const found of globSync('*.ts', { cwd: folder }).toSorted()) {
    const [first = ''] = readFileSync(join(folder, found), 'utf8').split('\n')
    console.log(`  ${found.slice(0, -'.ts'.length).padEnd(16)} ${first.replace(/^\/\/ /, '')}`)
  }
  process.exit(name === undefined ? 0 : 1)
}
process.exit(spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1)
