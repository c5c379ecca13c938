// Contract to service for the import of a holiday list.
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireRecentPassword, callerOf } from '#server/http/session.ts'
import type { calendarImportRoutes } from '#shared/market-admin/calendar-import-contract.ts'
import { checkCalendarLists, previewCalendarLists, importHolidayLists, calendarReader } from './service.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
}

export function calendarImportHandlers({ db, now }: Deps): Handlers<typeof calendarImportRoutes> {
  const apply = calendarReader(db)
  return {
    async importList({ session, request, body: { text, isPreview } }) {
      const lists = checkCalendarLists(text, now())
      const preview = previewCalendarLists(lists)
      if (isPreview) return { success: true, data: preview }
      requireRecentPassword(session, now())
      const { _id: id, email } = session.user
      await importHolidayLists(db, lists, { at: new Date(now()), actor: { id, email }, address: callerOf(request).address })
      await apply()
      return { success: true, data: preview }
    },
  }
}
