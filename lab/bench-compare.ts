// Runs benchmarks in this checkout and in another one, alternately, so that noise of the machine affects both alike.
// Run: npx node lab/bench-compare.ts OTHER_CHECKOUT ROUNDS 'http 5 2' 'fanout 5' ...
// Both checkouts need their packages and a built page. Outputs: .cache/bench/NAME.ROUND.{this,other}.txt
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const [other, rounds, ...benchmarks] = process.argv.slice(2)
if (other === undefined || !(Number(rounds) > 0) || benchmarks.length === 0) {
  console.error("Usage: npx node lab/bench-compare.ts OTHER_CHECKOUT ROUNDS 'NAME [arguments]' ...")
  process.exit(1)
}
const root = path.resolve(import.meta.dirname, '..')
const outputs = path.join(root, '.cache/bench')
const sides = [
  { side: 'this', folder: root },
  { side: 'other', folder: path.resolve(other) },
]
mkdirSync(outputs, { recursive: true })

for (const benchmark of benchmarks) {
  const [name = '', ...args] = benchmark.split(' ')
  for (let round = 1; round <= Number(rounds); round += 1) {
    // Each goes first in every second round.
    for (const { side, folder } of round % 2 === 1 ? sides : sides.toReversed()) {
      const startMs = performance.now()
      const file = path.join(folder, 'bench', `${name}.ts`)
      const { stdout, stderr, status } = spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })
      const output = path.join(outputs, `${name}.${round}.${side}.txt`)
      writeFileSync(output, stripVTControlCharacters(stdout + stderr))
      console.log(
        `${benchmark}, round ${round}, ${side}: status ${status}, ${Math.round((performance.now() - startMs) / 1000)} s, ${output}`,
      )
    }
  }
}
