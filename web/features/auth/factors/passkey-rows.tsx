// Passkeys of the account: a row to add one, and a row for each.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { factorRoutes, type FactorState } from '#shared/factors/contract.ts'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { canUsePasskeys } from '#web/lib/can-use-passkeys.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/lib/toast.ts'
import { call } from '#web/lib/api.ts'
import { deviceName } from '../device-name.ts'
import { useFactorsChanged } from './api.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { FactorRow } from './factor-row.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RemoveFactor } from './remove-factor.tsx'

interface PasskeyRowsProps {
  readonly passkeys: FactorState['passkeys']
  readonly canAdd: boolean
}

export function PasskeyRows({ passkeys, canAdd }: PasskeyRowsProps) {
  return (
    <>
      <FactorRow name={text.passkey} isOn={passkeys.length > 0} note={canUsePasskeys() ? text.passkeyNote : text.passkeyMissing}>
        {canAdd && canUsePasskeys() && <AddPasskey />}
      </FactorRow>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <FactorRow
          key={id}
          name={name}
          note={text.passkeyUsed(indiaDateTime(createdAt), lastUsedAt === null ? null : indiaDateTime(lastUsedAt))}
        >
          <RemoveFactor
            title={text.passkeyRemoveTitle}
            label={text.passkeyRemoveOf(name)}
            send={async (password) => (await call(factorRoutes.removePasskey, { body: { id, password } })).message}
          />
        </FactorRow>
      ))}
    </>
  )
}

function AddPasskey() {
  const changed = useFactorsChanged()
  const [codes, setCodes] = useState<readonly string[]>([])
  const add = useMutation({
    mutationFn: async () => {
      const { options } = (await withStepUp(() => call(factorRoutes.startPasskey))).data
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = await startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] })
      return call(factorRoutes.addPasskey, { body: { name: deviceName(navigator.userAgent), response: { ...response } } })
    },
    onSuccess: ({ message, data }) => {
      toast({ kind: 'ok', text: message })
      setCodes(data.recoveryCodes)
      changed()
    },
    onError: (error) => toast({ kind: 'danger', text: serverMessageOf(error) ?? text.passkeyFailed }),
    gcTime: 0,
    meta: { isQuiet: true },
  })
  return (
    <>
      <Button variant="outline" size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
        {text.passkeyAdd}
      </Button>
      <CodesDialog isOpen={codes.length > 0} title={text.codesTitle} onClose={undefined}>
        <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
      </CodesDialog>
    </>
  )
}
