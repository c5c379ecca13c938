#!/usr/bin/env node
// `npx tezi COMMAND`: the operator commands, on the pinned Node. Plain JavaScript, runs on Node 20.
process.argv.splice(2, 0, 'tezi')
await import('./bootstrap.mjs')
