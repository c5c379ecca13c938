// The server with an adjustable wall clock: on SIGUSR2 it reads the step in ms from CLOCK_STEP_FILE.
import { readFileSync } from 'node:fs'

const RealDate = Date
const realNow = Date.now.bind(Date)
const file = process.env['CLOCK_STEP_FILE'] ?? ''
let stepMs = 0

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(realNow() + stepMs).toString(),
  construct: (target, args: []) => (args.length === 0 ? new target(realNow() + stepMs) : new target(...args)),
  get: (target, name) => (name === 'now' ? () => realNow() + stepMs : (Reflect.get(target, name) as unknown)),
})
process.on('SIGUSR2', () => {
  stepMs = Number(readFileSync(file, 'utf8'))
})

await import(process.argv[2] === 'gateway' ? '#server/gateway.ts' : '#server/main.ts')
