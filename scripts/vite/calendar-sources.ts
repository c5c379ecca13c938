// Removes the sources of calendar rows from the browser bundle: they are for maintainers and nearly half of the files.
import type { Plugin } from 'vite'

const calendarFile = /\/trading-hours\/calendars\/[a-z]+\.json$/

export function withoutCalendarSources(): Plugin {
  return {
    name: 'without-calendar-sources',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!calendarFile.test(id)) return null
      const withoutSource = (key: string, value: unknown): unknown => (key === 'sourceRef' ? undefined : value)
      return { code: JSON.stringify(JSON.parse(code, withoutSource)), map: null }
    },
  }
}
