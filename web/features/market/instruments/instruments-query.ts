// The calls of the admin's Instruments page.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { InstrumentSetting } from '#shared/market/instruments-contract.ts'
import { adminInstrumentsText as text } from '#shared/text/en/admin-instruments.ts'
import { client } from '#web/lib/api.ts'
import { withStepUp } from '#web/lib/step-up.ts'
import { toast } from '#web/ui/toast.tsx'
import { chartsKey, hiddenQuery } from '../api.ts'

export const instrumentsQuery = queryOptions({
  queryKey: ['admin-instruments'],
  queryFn: async () => (await client.adminInstruments.list()).data,
  staleTime: 0,
})

export interface InstrumentSave {
  readonly slug: string
  readonly setting: InstrumentSetting
  readonly version: number
  readonly isChecked: boolean
}

export function useSaveInstrument() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ slug, setting, version, isChecked }: InstrumentSave) =>
      withStepUp(() => client.adminInstruments.save({ params: { slug }, body: { ...setting, version, isChecked } })),
    onSuccess: ({ message }) => toast({ kind: 'ok', text: message }),
    onSettled: () =>
      Promise.all([instrumentsQuery.queryKey, chartsKey, hiddenQuery.queryKey].map((queryKey) => cache.invalidateQueries({ queryKey }))),
    meta: { failureText: text.saveFailed },
  })
}
