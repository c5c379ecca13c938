// Connects Zerodha: redirect URL to copy, keys of the user's app, and a link to the login.
import { useState } from 'react'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { brokerRoutes } from '#shared/brokers/contract.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { call } from '#web/lib/api.ts'
import { useKiteLogin } from './api.ts'
import { ConnectForm } from './connect-form.tsx'

export interface KiteFormProps {
  readonly redirectUrl: string
  readonly hasKiteApp: boolean
  readonly goTo: (url: string) => void
}

export function KiteForm({ redirectUrl, hasKiteApp, goTo }: KiteFormProps) {
  const [keys, setKeys] = useState({ apiKey: '', apiSecret: '' })
  const login = useKiteLogin(() => call(brokerRoutes.connectKite, { body: keys }), goTo)
  const fields = apiErrorOf(login.error)?.fields ?? {}
  const set = (part: Partial<typeof keys>) => {
    setKeys({ ...keys, ...part })
    if (!login.isIdle) login.reset()
  }
  return (
    <ConnectForm
      title={text.chooseKite}
      intro={hasKiteApp ? text.kiteOperator : text.kiteIntro}
      submitLabel={text.connectKite}
      isBusy={login.isPending}
      error={login.error}
      onSubmit={() => login.mutate()}
    >
      {!hasKiteApp && (
        <>
          <div className="flex items-end gap-2">
            <TextField label={text.redirectUrl} className="min-w-0 flex-1" value={redirectUrl} readOnly />
            <div className="pb-1.5 pointer-coarse:pb-0">
              <CopyButton value={redirectUrl} label={text.copyRedirectUrl} />
            </div>
          </div>
          <TextField
            label={text.apiKey}
            name="kite-api-key"
            autoComplete="off"
            spellCheck={false}
            value={keys.apiKey}
            error={fields['apiKey']}
            onChange={({ target }) => set({ apiKey: target.value })}
          />
          <TextField
            label={text.apiSecret}
            name="kite-api-secret"
            type="password"
            autoComplete="off"
            value={keys.apiSecret}
            error={fields['apiSecret']}
            onChange={({ target }) => set({ apiSecret: target.value })}
          />
        </>
      )}
    </ConnectForm>
  )
}
