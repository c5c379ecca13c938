// `npx tezi import calendar FILE`: stores a holiday list of NSE or BSE for all processes. `--check` only shows what it changes.
// Format: docs/operating/market-data.md, "Importing a holiday list".
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { operatorActor } from '#server/features/audit/service.ts'
import { checkCalendarLists, previewCalendarLists, importHolidayLists, calendarReader } from '#server/features/calendars/service.ts'
import { oneArgument, withDatabase } from './run.ts'

export async function importCalendar(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: { check: { type: 'boolean' } }, allowPositionals: true })
  const text = await readFile(oneArgument(positionals, 'FILE'), 'utf8')
  await withDatabase(async ({ db }) => {
    await calendarReader(db)()
    const lists = checkCalendarLists(text, Date.now())
    for (const { exchange, from, until, changes } of previewCalendarLists(lists)) {
      console.log(`${exchange.toUpperCase()}, ${from} to ${until}:`)
      for (const { date, name, hours, change } of changes) console.log(`  ${date}  ${change.padEnd(7)}  ${hours.padEnd(11)}  ${name}`)
    }
    if (values.check === true) return console.log('Nothing was imported.')
    await importHolidayLists(db, lists, { at: new Date(), actor: operatorActor, address: '' })
    return console.log('The list is imported. Running servers follow within seconds.')
  })
}
