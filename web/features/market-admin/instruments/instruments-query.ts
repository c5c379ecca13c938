// API calls of the admin page Instruments.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminInstrumentRoutes, type InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { toast } from '#web/lib/toast.ts'
import { chartsKey } from '#web/features/chart/api.ts'
import { hiddenQuery } from '#web/features/instruments/api.ts'
import { call } from '#web/lib/api.ts'

export const instrumentsQuery = queryOptions({
  queryKey: ['admin-instruments'],
  queryFn: async () => (await call(adminInstrumentRoutes.list)).data,
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
      withStepUp(() => call(adminInstrumentRoutes.save, { params: { slug }, body: { ...setting, version, isChecked } })),
    onSuccess: ({ message }) => toast({ kind: 'ok', text: message }),
    onSettled: () =>
      Promise.all([instrumentsQuery.queryKey, chartsKey, hiddenQuery.queryKey].map((queryKey) => cache.invalidateQueries({ queryKey }))),
    meta: { failureText: text.saveFailed, showsFields: true },
  })
}
