// Notes that a chart must show.
import { texts } from '#shared/text/texts.ts'

export const instrumentNotes = texts('instrumentNotes', {
  demerger:
    'Tata Motors split into two companies in October 2025. This chart shows TMPV (Tata Motors Passenger Vehicles), which continues the old share.',
})
