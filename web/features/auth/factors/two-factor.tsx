// Two-factor sign-in on the account page: the authenticator app and the recovery codes.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { factors } from '#web/lib/account-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { factorsQuery, useNewRecoveryCodes } from './api.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { FactorRow } from './factor-row.tsx'
import { PasskeyRows } from './passkey-rows.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RemoveFactor } from './remove-factor.tsx'
import { TotpSetup } from './totp-setup.tsx'

/** Draws loading, error and the list of methods. */
export function TwoFactor() {
  const { data, error, isFetching, refetch } = useQuery(factorsQuery)
  if (data === undefined && error !== null)
    return <FailureNotice error={error} fallback={text.loadFailed} isBusy={isFetching} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="h-16 animate-breathe rounded-panel border border-line bg-surface" />
  const { totpSince, recoveryCodesLeft, passkeys, hasPasskeys } = data
  const hasFactor = totpSince !== null || passkeys.length > 0
  return (
    <>
      <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
        <FactorRow name={text.app} isOn={totpSince !== null} note={totpSince === null ? text.appOff : text.appOn(indiaDateTime(totpSince))}>
          <SetUpApp label={totpSince === null ? text.appAdd : text.appReplace} isSolid={totpSince === null} />
          {totpSince !== null && (
            <RemoveFactor
              title={text.appRemoveTitle}
              send={async (password) => (await factors.removeTotp({ body: { password } })).message}
            />
          )}
        </FactorRow>
        {(hasPasskeys || passkeys.length > 0) && <PasskeyRows passkeys={passkeys} canAdd={hasPasskeys} />}
        {hasFactor && (
          <FactorRow name={text.codesTitle} note={`${text.codesLeft(recoveryCodesLeft)}. ${text.codesNote}`}>
            <NewCodes />
          </FactorRow>
        )}
      </ul>
      <StepUpHost />
    </>
  )
}

function SetUpApp({ label, isSolid }: { readonly label: string; readonly isSolid: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const [areCodesShown, setAreCodesShown] = useState(false)
  const close = () => {
    setIsOpen(false)
    setAreCodesShown(false)
  }
  return (
    <>
      <Button variant={isSolid ? 'solid' : 'outline'} size="small" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {/* Codes that are shown once do not go away by a slip; their own button closes them. */}
      <CodesDialog isOpen={isOpen} title={areCodesShown ? text.codesTitle : text.setupTitle} onClose={areCodesShown ? undefined : close}>
        <TotpSetup onDone={close} onCodes={() => setAreCodesShown(true)} />
        <StepUpHost />
      </CodesDialog>
    </>
  )
}

function NewCodes() {
  const [isAsking, setIsAsking] = useState(false)
  const make = useNewRecoveryCodes()
  const close = () => setIsAsking(false)
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setIsAsking(true)}>
        {text.codesNew}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={text.codesNewTitle}
        question={text.codesNewText}
        confirmLabel={text.codesNew}
        isBusy={make.isPending}
        onConfirm={() => make.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        <StepUpHost />
      </ConfirmDialog>
      <CodesDialog isOpen={make.data !== undefined} title={text.codesTitle} onClose={undefined}>
        <RecoveryCodes codes={make.data ?? []} onDone={() => make.reset()} />
      </CodesDialog>
    </>
  )
}
