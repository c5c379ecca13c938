// Fails unless every test that the specification's checklist names ran and passed in this run of `npm test`.
import { checklistRows, passedTestsVariable, readPassed, rowsWithoutPass } from './spec-checklist.ts'

const dir = process.env[passedTestsVariable]
if (dir === undefined) throw new Error(`${passedTestsVariable} is not set: this check is a step of npm test`)
const rows = checklistRows()
const missing = rowsWithoutPass(rows, readPassed(dir))
for (const { file, title } of missing) console.error(`${file}: did not run and pass: ${title}`)
if (missing.length > 0) process.exit(1)
console.log(`Tests of the specification that passed: ${rows.length}`)
