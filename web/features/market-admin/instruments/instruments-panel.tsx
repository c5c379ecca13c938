// Admin page Instruments: the list, and the dialog that edits one.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { InstrumentDialog } from './instrument-dialog.tsx'
import { instrumentsQuery } from './instruments-query.ts'
import { InstrumentsTable } from './instruments-table.tsx'

/** Renders loading, error and data states. */
export function InstrumentsPanel() {
  const query = useQuery(instrumentsQuery)
  const { data } = query
  const [slug, setSlug] = useState<string>()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h1 className="text-20 font-semibold tracking-tight">{text.instruments}</h1>
        <p className="text-12 text-text-2">{text.intro}</p>
      </div>
      {query.isLoadingError ? <FailureNotice query={query} /> : <InstrumentsTable list={data} onEdit={(row) => setSlug(row.slug)} />}
      <InstrumentDialog
        row={data?.instruments.find((row) => row.slug === slug)}
        firstChart={data?.firstChart ?? 'tradingview'}
        onClose={() => setSlug(undefined)}
      />
    </div>
  )
}
