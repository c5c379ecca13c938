// Checks the signatures of all installed packages; passes too if the registry has none at all. Run: npm run audit:signatures
import { spawnSync } from 'node:child_process'

const asked = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })
const registry = asked.stdout.trim()
// A registry with signatures has its public keys here; https://docs.npmjs.com/verifying-registry-signatures
const keys = await fetch(new URL('-/npm/v1/keys', registry), { signal: AbortSignal.timeout(30_000) })
if (keys.status === 404) {
  process.stdout.write(`${registry} has no signing keys, so there is nothing to check\n`)
  process.exit(0)
}
if (!keys.ok) {
  process.stderr.write(`${registry} answered ${keys.status} for its signing keys\n`)
  process.exit(1)
}
process.exit(spawnSync('npm', ['audit', 'signatures'], { stdio: 'inherit' }).status ?? 1)
