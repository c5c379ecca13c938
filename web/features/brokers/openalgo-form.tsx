// Connects an OpenAlgo instance by its address and key.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { brokerRoutes } from '#shared/brokers/contract.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/lib/toast.ts'
import { call } from '#web/lib/api.ts'
import { useBrokerChanged } from './api.ts'
import { ConnectForm } from './connect-form.tsx'

export function OpenAlgoForm() {
  const [values, setValues] = useState({ url: '', apiKey: '' })
  const changed = useBrokerChanged()
  const connect = useMutation({
    mutationFn: async () => (await call(brokerRoutes.connectOpenAlgo, { body: values })).message,
    onSuccess(message) {
      toast({ kind: 'ok', text: message })
      changed()
    },
    gcTime: 0,
    meta: { isQuiet: true },
  })
  const fields = apiErrorOf(connect.error)?.fields ?? {}
  const set = (part: Partial<typeof values>) => {
    setValues({ ...values, ...part })
    if (!connect.isIdle) connect.reset()
  }
  return (
    <ConnectForm
      title={text.chooseOpenAlgo}
      intro={text.openAlgoIntro}
      submitLabel={text.connectOpenAlgo}
      isBusy={connect.isPending}
      error={connect.error}
      onSubmit={() => connect.mutate()}
    >
      <TextField
        label={text.url}
        name="openalgo-url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={values.url}
        error={fields['url']}
        onChange={({ target }) => set({ url: target.value })}
      />
      <TextField
        label={text.apiKey}
        name="openalgo-api-key"
        type="password"
        autoComplete="off"
        value={values.apiKey}
        error={fields['apiKey']}
        onChange={({ target }) => set({ apiKey: target.value })}
      />
    </ConnectForm>
  )
}
